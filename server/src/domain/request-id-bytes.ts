import type { RequestId } from './ids.ts';

export function requestIdOf(bytes: Buffer): RequestId {
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as RequestId;
}

export function bytesOf(requestId: RequestId): Buffer {
  return Buffer.from(requestId.replaceAll('-', ''), 'hex');
}

export function stampOf(bytes: Buffer): number {
  return bytes.readUIntBE(0, 6);
}
