import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import cdk from '../cdk.json' with { type: 'json' };

describe('the app', () => {
  let output: string;

  beforeEach(() => {
    output = mkdtempSync(join(tmpdir(), 'fairline-infra-'));
  });

  afterEach(() => {
    rmSync(output, { recursive: true });
  });

  test('synthesises without credentials, under the name that a parameter gives', () => {
    const { status, stderr } = runApp({ 'fairline:stackName': 'FairlineStaging' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(output)).toContain('FairlineStaging.template.json');
  });

  test('ends with one clear message, and no template, when a parameter is bad', () => {
    const { status, stderr } = runApp({ 'fairline:maxReceiveCount': '50' });
    expect(status).toBe(1);
    expect(stderr).toBe(
      'The parameters are not valid:\n' +
        '  fairline:maxReceiveCount: must be a whole number from 3 to 5, not "50"\n',
    );
    expect(readdirSync(output)).toEqual([]);
  });

  /** As the CDK CLI runs it. */
  function runApp(parameters: Readonly<Record<string, string>>) {
    return spawnSync(cdk.app, {
      shell: true,
      cwd: join(import.meta.dirname, '..'),
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        CDK_OUTDIR: output,
        CDK_CONTEXT_JSON: JSON.stringify({ ...cdk.context, ...parameters }),
      },
    });
  }
});
