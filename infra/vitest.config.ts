import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Loading the CDK costs more than all tests together: once, not for every file.
    isolate: false,
    fileParallelism: false,
    testTimeout: 60_000,
    reporters: [['default', { summary: false }]],
  },
});
