import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdk from '../cdk.json' with { type: 'json' };
import { DataPlaneStack } from '../src/data-plane-stack.ts';
import { readParameters } from '../src/parameters.ts';

/** The template that the parameters, named without their prefix, lead to. */
export function synthesise(parameters: Readonly<Record<string, unknown>> = {}): Template {
  return Template.fromStack(createStack(parameters));
}

export function createStack(parameters: Readonly<Record<string, unknown>> = {}): DataPlaneStack {
  const app = new App({ context: cdk.context });
  return new DataPlaneStack(app, 'DataPlane', readParameters(prefixed(parameters)));
}

export function prefixed(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [`fairline:${name}`, value]),
  );
}

export const exampleKeyArn =
  'arn:aws:kms:ap-northeast-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
