import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';

/** The pages and what they load, from a folder of built files. Nothing comes from another host. */
export function pageRoutes(folder: string): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(pageHeaders);
      done();
    });
    await app.register(fastifyStatic, {
      root: folder,
      prefix: '/assets/',
      index: false,
      cacheControl: false,
    });
    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'));
  };
}

const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
};
