import type { Progress } from '../domain/request.ts';

/** What the product counts about itself. Implementations must be cheap: the hot path calls them. */
export interface Telemetry {
  accepted(): void;
  duplicate(): void;
  finished(progress: Progress, queuedAt: number): void;
  attemptFailed(errorCode: string): void;
  undecodable(): void;
}
