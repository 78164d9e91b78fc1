import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createSigner } from 'fast-jwt';

export const jwtSecret = randomBytes(32).toString('hex');

const sign = createSigner({ key: jwtSecret, algorithm: 'HS256', expiresIn: '1h' });

export function signToken(userId: string): string {
  return sign({ sub: userId });
}

/** Signing is slow: the tokens of a window are written to a file before its clock starts. */
export async function writeTokens(file: string, firstUser: number, count: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let user = firstUser; user < firstUser + count; user += 1) {
    if (!stream.write(`${signToken(`user-${user}`)}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}
