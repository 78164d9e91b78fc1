import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { RequestId } from '../../domain/ids.ts';
import { isFinal } from '../../domain/request.ts';
import type { RequestReader } from '../../participation/read-request.ts';
import type { RequestChanges } from '../../ports/request-changes.ts';
import type { Timers } from '../../ports/timers.ts';
import { openEventStream } from '../event-stream.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse, sendProblem } from '../problem.ts';
import { requestBody } from '../request-body.ts';
import { NoQuery, RequestIdParams } from '../schemas/common.ts';
import { participantProblems, problems } from '../schemas/problem.ts';

export interface RequestStreams {
  readonly openCount: number;
  /** Ends every stream; the browser comes back by itself with the last id it has seen. */
  closeAll(): void;
}

export function requestStreamRoutes(
  guards: Guards,
  reader: RequestReader,
  changes: RequestChanges,
  timers: Timers,
  streamsMax: number,
): { readonly routes: FastifyPluginAsyncTypebox; readonly streams: RequestStreams } {
  const open = new Set<() => void>();

  const routes: FastifyPluginAsyncTypebox = async (app) => {
    app.get(
      '/requests/:requestId/stream',
      {
        onRequest: guards.participant,
        schema: {
          operationId: 'requestStream',
          summary: 'A request at every change, as server-sent events',
          description:
            'Events named `request` carry the same object as `GET /requests/{requestId}`; the stream ends when the request is done. Resumes after `Last-Event-ID`.',
          tags: ['participants'],
          params: RequestIdParams,
          querystring: NoQuery,
          response: {
            200: {
              description: 'The stream.',
              content: { 'text/event-stream': { schema: Type.String() } },
            },
            ...problems(...participantProblems, 'REQUEST_NOT_FOUND', 'STREAMS_EXHAUSTED'),
          },
        },
      },
      async (request, reply) => {
        const viewer = identityOf(request);
        const requestId = request.params.requestId as RequestId;
        const first = await reader.byId(requestId, viewer);
        if (first.kind === 'refused') return refuse(reply, first);
        if (open.size >= streamsMax) return sendProblem(reply, 'STREAMS_EXHAUSTED', undefined, 5);

        const stream = openEventStream(reply);
        let lastId = request.headers['last-event-id'];
        const showCurrent = async (): Promise<void> => {
          const read = await reader.byId(requestId, viewer);
          if (read.kind === 'refused') return end();
          const { request: current, standing } = read;
          const id = [current.status, current.startedAt, standing.position].join('-');
          if (id !== lastId) stream.send('request', id, requestBody(current, standing));
          lastId = id;
          if (isFinal(current.status)) end();
        };
        // What cannot be read now ends the stream; the browser comes back by itself.
        const show = (): Promise<void> => showCurrent().catch(() => end());
        const subscription = changes.subscribe(requestId, () => void show());
        const refresher = timers.every(refreshMs, show);
        const heart = timers.every(heartbeatMs, stream.heartbeat);
        const end = (): void => {
          subscription.unsubscribe();
          refresher.stop();
          heart.stop();
          open.delete(end);
          stream.end();
        };
        open.add(end);
        stream.onClose(end);
        await show();
        return reply;
      },
    );
  };

  const streams: RequestStreams = {
    get openCount() {
      return open.size;
    },
    closeAll() {
      for (const end of [...open]) end();
    },
  };
  return { routes, streams };
}

/** Changes are pushed; this is how often the place in line is looked at. */
const refreshMs = 1000;
/** Below the 30 seconds after which many proxies drop a silent connection. */
const heartbeatMs = 15_000;
