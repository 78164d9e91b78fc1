import type { FastifyInstance } from 'fastify';

/** Which methods a path takes, told from the routes themselves. */
export function trackMethods(app: FastifyInstance): (path: string) => string[] {
  const patterns = new Map<string, { regex: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const regex = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+').replaceAll('*', '.*')}$`);
    const known = patterns.get(url) ?? { regex, methods: new Set() };
    for (const name of [method].flat()) known.methods.add(name);
    patterns.set(url, known);
  });
  return (path) => {
    const matching = [...patterns.values()].filter(({ regex }) => regex.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  };
}
