import type { Progress } from '../domain/request.ts';

export interface Finished {
  readonly queuedAt: number;
  readonly progress: Progress;
}

/** What the product counts about itself. Implementations must be cheap: the hot path calls them. */
export interface Telemetry {
  accepted(): void;
  duplicate(): void;
  finished(requests: readonly Finished[]): void;
  attemptFailed(errorCode: string): void;
  undecodable(): void;
}
