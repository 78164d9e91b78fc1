import type { FastifyReply } from 'fastify';

export interface EventStream {
  send(event: string, id: string, data: unknown): void;
  heartbeat(): void;
  onClose(closed: () => void): void;
  end(): void;
}

/** Takes the reply over as a stream of server-sent events. A reader that falls behind is dropped. */
export function openEventStream(
  reply: Pick<FastifyReply, 'hijack' | 'raw' | 'getHeaders'>,
): EventStream {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(`retry: ${reconnectMs}\n\n`);

  const write = (text: string): void => {
    if (raw.writableLength > bufferBytesMax) raw.destroy();
    else if (!raw.writableEnded) raw.write(text);
  };
  return {
    send: (event, id, data) =>
      write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
    heartbeat: () => write(': alive\n\n'),
    onClose: (closed) => {
      raw.on('close', closed);
      raw.on('error', closed);
    },
    end: () => {
      raw.end();
    },
  };
}

const reconnectMs = 2000;
const bufferBytesMax = 64 * 1024;
