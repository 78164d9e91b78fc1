import type { UserId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import {
  FAILURE_CLASSES,
  type Failure,
  type Progress,
  RESULT_CODES,
  STATUSES,
} from '../../domain/request.ts';

/** What is stored of a request under its id. The layout is in the comment beside each offset. */
export interface RequestRecord {
  readonly eventNo: number;
  /** The request's ordinal within its event, in queue order. */
  readonly ordinal: number;
  readonly requestedAt: number;
  readonly queuedAt: number;
  readonly userId: UserId;
  readonly progress: Progress;
}

export function encodeRequest(record: RequestRecord): Buffer {
  const { progress, userId } = record;
  const failure = encodeFailure(progress.failure);
  const bytes = Buffer.allocUnsafe(at.userId + userId.length + failure.length);
  bytes.writeUInt8(recordVersion, at.version);
  bytes.writeUInt32LE(record.eventNo, at.eventNo);
  bytes.writeUInt32LE(record.ordinal, at.ordinal);
  bytes.writeUIntLE(record.requestedAt, at.requestedAt, 6);
  bytes.writeUIntLE(record.queuedAt, at.queuedAt, 6);
  bytes.writeUInt8(userId.length, at.userIdLength);
  bytes.write(userId, at.userId, 'latin1');
  failure.copy(bytes, at.userId + userId.length);
  writeProgress(bytes, progress);
  return bytes;
}

export function decodeRequest(bytes: Buffer): RequestRecord {
  return {
    eventNo: readEventNo(bytes),
    ordinal: readOrdinal(bytes),
    requestedAt: readRequestedAt(bytes),
    queuedAt: readQueuedAt(bytes),
    userId: readUserId(bytes),
    progress: readProgress(bytes),
  };
}

export function readEventNo(bytes: Buffer): number {
  return bytes.readUInt32LE(at.eventNo);
}

export function readRequestedAt(bytes: Buffer): number {
  return bytes.readUIntLE(at.requestedAt, 6);
}

export function readOrdinal(bytes: Buffer): number {
  return bytes.readUInt32LE(at.ordinal);
}

export function readQueuedAt(bytes: Buffer): number {
  return bytes.readUIntLE(at.queuedAt, 6);
}

/** A clock that went back must not make anything happen before it was queued. */
export function notBeforeQueued(bytes: Buffer, time: number): number {
  return Math.max(readQueuedAt(bytes), time);
}

export function readUserId(bytes: Buffer): UserId {
  const end = at.userId + bytes.readUInt8(at.userIdLength);
  return bytes.toString('latin1', at.userId, end) as UserId;
}

export function readProgress(bytes: Buffer): Progress {
  invariant(bytes.readUInt8(at.version) === recordVersion, 'A request record is of version 1.');
  const flags = bytes.readUInt8(at.flags);
  const startedAt = bytes.readUIntLE(at.startedAt, 6);
  const finishedAt = bytes.readUIntLE(at.finishedAt, 6);
  const status = STATUSES[bytes.readUInt8(at.status)];
  invariant(status !== undefined, 'A request record holds a known status.');
  return {
    status,
    resultCode: RESULT_CODES[bytes.readUInt8(at.resultCode) - 1] ?? null,
    startedAt: startedAt === 0 ? null : startedAt,
    finishedAt: finishedAt === 0 ? null : finishedAt,
    failure: (flags & hasFailure) === 0 ? null : decodeFailure(bytes, flags),
    redriven: (flags & wasRedriven) !== 0,
  };
}

/** The record with another progress. Without a failure on either side only the header changes. */
export function withProgress(before: Buffer, progress: Progress): Buffer {
  if (progress.failure !== null || (before.readUInt8(at.flags) & hasFailure) !== 0) {
    return encodeRequest({ ...decodeRequest(before), progress });
  }
  const bytes = Buffer.allocUnsafe(before.length);
  before.copy(bytes);
  writeProgress(bytes, progress);
  return bytes;
}

function writeProgress(bytes: Buffer, progress: Progress): void {
  const { failure, resultCode } = progress;
  bytes.writeUInt8(STATUSES.indexOf(progress.status), at.status);
  bytes.writeUInt8(resultCode === null ? 0 : RESULT_CODES.indexOf(resultCode) + 1, at.resultCode);
  const failureFlags =
    failure === null ? 0 : hasFailure | (failure.failureClass === 'RETRYABLE' ? 0 : isFinalFailure);
  bytes.writeUInt8(failureFlags | (progress.redriven ? wasRedriven : 0), at.flags);
  bytes.writeUIntLE(progress.startedAt ?? 0, at.startedAt, 6);
  bytes.writeUIntLE(progress.finishedAt ?? 0, at.finishedAt, 6);
}

function encodeFailure(failure: Failure | null): Buffer {
  if (failure === null) return Buffer.alloc(0);
  return Buffer.from(JSON.stringify([failure.errorCode, failure.errorMessage]));
}

function decodeFailure(bytes: Buffer, flags: number): Failure {
  const start = at.userId + bytes.readUInt8(at.userIdLength);
  const [errorCode, errorMessage] = JSON.parse(bytes.toString('utf8', start)) as [string, string];
  const failureClass = FAILURE_CLASSES[(flags & isFinalFailure) === 0 ? 0 : 1];
  return { failureClass, errorCode, errorMessage };
}

const recordVersion = 1;
const at = {
  version: 0, // 1 byte
  status: 1, // 1 byte: index into STATUSES
  resultCode: 2, // 1 byte: index into RESULT_CODES plus one, 0 is none
  flags: 3, // 1 byte
  eventNo: 4, // 4 bytes
  ordinal: 8, // 4 bytes
  requestedAt: 12, // 6 bytes, as all times
  queuedAt: 18,
  startedAt: 24, // 0 is none
  finishedAt: 30, // 0 is none
  userIdLength: 36, // 1 byte
  userId: 37, // then, if the flag says so, the failure as JSON to the end
} as const;
const wasRedriven = 1;
const hasFailure = 2;
const isFinalFailure = 4;
