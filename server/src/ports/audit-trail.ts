import type { Page, PageRequest } from './page.ts';

export interface AuditEntry {
  /** A UUID. */
  readonly id: string;
  readonly occurredAt: number;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditTrail {
  append(entry: AuditEntry): Promise<void>;
  /** The latest first. */
  list(page: PageRequest): Promise<Page<AuditEntry>>;
}
