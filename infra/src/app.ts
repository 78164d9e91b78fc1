import { App } from 'aws-cdk-lib';
import { BadParameters } from './context-reader.ts';
import { DataPlaneStack } from './data-plane-stack.ts';
import { readParameters } from './parameters.ts';

const app = new App();
try {
  const parameters = readParameters(app.node.getAllContext());
  new DataPlaneStack(app, parameters.stackName, parameters);
} catch (error) {
  if (!(error instanceof BadParameters)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
