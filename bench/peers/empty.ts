import fastify from 'fastify';

const { PORT } = process.env;

const app = fastify();
app.get('/', async () => ({}));
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
