import { type Refused, refused } from '../domain/errors.ts';
import type { EventId, RequestId, UserId } from '../domain/ids.ts';
import { isFinal, type Request } from '../domain/request.ts';
import type { Admission } from '../ports/admission.ts';
import type { Events } from '../ports/events.ts';
import { type Line, notInLine, type Standing } from '../ports/line.ts';
import type { Requests } from '../ports/requests.ts';

export interface FoundRequest {
  readonly kind: 'found';
  readonly request: Request;
  readonly standing: Standing;
}

export type ReadRequest = FoundRequest | Refused;

export interface Viewer {
  readonly userId: UserId;
  readonly isOperator: boolean;
}

/** A request as its owner or an operator may see it. To anybody else there is none. */
export function createReadRequest(
  events: Events,
  admission: Admission,
  requests: Requests,
  line: Line,
) {
  const byId = async (requestId: RequestId, viewer: Viewer): Promise<ReadRequest> => {
    const request = await requests.get(requestId);
    if (request === undefined || !maySee(viewer, request)) return refused('REQUEST_NOT_FOUND');
    return { kind: 'found', request, standing: line.standingOf(request) };
  };

  const mine = async (eventId: EventId, viewer: Viewer): Promise<ReadRequest> => {
    const event = await events.get(eventId);
    if (event === undefined) return refused('EVENT_NOT_FOUND');
    const requestId = await admission.find(event, viewer.userId);
    return requestId === undefined ? refused('REQUEST_NOT_FOUND') : byId(requestId, viewer);
  };

  return { byId, mine };
}

export type RequestReader = ReturnType<typeof createReadRequest>;
export type ReadRequestById = RequestReader['byId'];

/**
 * Reads from a copy that may be a moment behind: what is settled there is settled. Whatever else
 * it tells, or does not know, is asked of who keeps the original.
 */
export function createReadSettled(
  copy: Pick<Requests, 'get'>,
  ask: ReadRequestById,
): ReadRequestById {
  return async (requestId, viewer) => {
    const request = await copy.get(requestId);
    if (request === undefined || !isFinal(request.status) || !maySee(viewer, request)) {
      return ask(requestId, viewer);
    }
    return { kind: 'found', request, standing: notInLine };
  };
}

function maySee(viewer: Viewer, request: Request): boolean {
  return viewer.isOperator || viewer.userId === request.userId;
}
