export interface ContextReader {
  text<Fallback extends string | undefined>(
    name: string,
    pattern: RegExp,
    fallback: Fallback,
  ): string | Fallback;
  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback: NoInfer<Choice>,
  ): Choice;
  wholeNumber<Fallback extends number | undefined>(
    name: string,
    limits: { readonly min: number; readonly max?: number },
    fallback: Fallback,
  ): number | Fallback;
  isGiven(name: string): boolean;
  refuse(name: string, rule: string): void;
  /** Throws `BadParameters` if anything was refused, or given and never read. */
  finish(): void;
}

export class BadParameters extends Error {
  constructor(problems: readonly string[]) {
    super(['The parameters are not valid:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.name = 'BadParameters';
  }
}

/** Reads what the CDK context has under `fairline:`; what is wrong with it is told all at once. */
export function createContextReader(context: Readonly<Record<string, unknown>>): ContextReader {
  const given = new Map(
    Object.entries(context)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
  const unread = new Set(given.keys());
  const problems: string[] = [];

  function refuse(name: string, rule: string): void {
    problems.push(`${prefix}${name}: ${rule}`);
  }

  function read<Value, Fallback>(
    name: string,
    parse: (text: string) => Value | undefined,
    rule: string,
    fallback: Fallback,
  ): Value | Fallback {
    unread.delete(name);
    if (!given.has(name)) return fallback;
    const value = parse(textOf(given.get(name)));
    if (value !== undefined) return value;
    refuse(name, `${rule}, not ${JSON.stringify(given.get(name))}`);
    return fallback;
  }

  return {
    text: (name, pattern, fallback) =>
      read(
        name,
        (text) => (pattern.test(text) ? text : undefined),
        `must match ${pattern.source}`,
        fallback,
      ),
    choice: (name, choices, fallback) =>
      read(
        name,
        (text) => choices.find((choice) => choice === text),
        `must be ${choices.join(' or ')}`,
        fallback,
      ),
    wholeNumber: (name, { min, max = Number.MAX_SAFE_INTEGER }, fallback) =>
      read(
        name,
        (text) =>
          /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
            ? Number(text)
            : undefined,
        max === Number.MAX_SAFE_INTEGER
          ? `must be a whole number of at least ${min}`
          : `must be a whole number from ${min} to ${max}`,
        fallback,
      ),
    isGiven: (name) => given.has(name),
    refuse,
    finish: () => {
      for (const name of unread) refuse(name, 'is not a parameter');
      if (problems.length > 0) throw new BadParameters(problems);
    },
  };
}

const prefix = 'fairline:';

/** `-c` gives strings, `cdk.json` also numbers; anything else is no value of ours. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
