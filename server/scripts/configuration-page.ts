import { limitOf } from '../src/config.ts';
import { secretNames, type VariableName, variables } from '../src/config-variables.ts';

export function configurationPage(): string {
  const rows = Object.entries(variables.properties).map(([name, schema]) => {
    const { default: value, description = '' } = schema as Documented;
    const limit = limitOf(name as VariableName).replaceAll('|', '\\|');
    return `| \`${name}\` | ${value === undefined ? 'none' : `\`${value}\``} | ${limit} | ${description} |`;
  });
  return [
    '# Configuration',
    '',
    'Read from the environment once, at start. A value that is not valid stops the start and is named;',
    'a `FAIRLINE_` variable that is not known is warned about and ignored. An empty value is no value.',
    `Secrets (${secretNames.map((name) => `\`${name}\``).join(', ')}) may be given as a file by the same name with \`_FILE\`.`,
    '',
    '_This page is generated from `server/src/config-variables.ts`: run `npm run generate`._',
    '',
    '| variable | default | limit | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

interface Documented {
  readonly default?: unknown;
  readonly description?: string;
}
