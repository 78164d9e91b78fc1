import type { Request } from '../domain/request.ts';
import { e2eDelayMs, queueDelayMs, stepOf, uiResultOf } from '../domain/request-view.ts';
import type { Standing } from '../ports/line.ts';

/** A request as everyone who may see it sees it. */
export function requestBody(request: Request, { position, etaMs }: Standing) {
  const { requestId, eventId, eventType, status, resultCode } = request;
  const { requestedAt, queuedAt, startedAt, finishedAt } = request;
  return {
    requestId,
    eventId,
    eventType,
    status,
    step: stepOf(status),
    uiPhase: null,
    uiResult: uiResultOf(status),
    resultCode,
    requestedAt,
    queuedAt,
    startedAt,
    finishedAt,
    queueDelayMs: queueDelayMs(request),
    e2eDelayMs: e2eDelayMs(request),
    position,
    etaMs,
    lotteryCutoffAt: null,
    announcedAt: null,
  };
}

export function operatorRequestBody(request: Request, standing: Standing) {
  return {
    ...requestBody(request, standing),
    userId: request.userId,
    isRedriven: request.redriven,
    failureClass: request.failure?.failureClass ?? null,
    errorCode: request.failure?.errorCode ?? null,
    errorMessage: request.failure?.errorMessage ?? null,
  };
}
