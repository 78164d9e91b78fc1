import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEventId, parseRequestId, parseUserId } from './ids.ts';

describe('a user id', () => {
  test.each(['a', 'ann', 'a'.repeat(128), 'auth0|5f7', 'ann@example.org', '!"$%&\'()*+,-.~'])(
    '%j is taken as it is',
    (text) => {
      expect(parseUserId(text)).toBe(text);
    },
  );

  test.each([
    '',
    'a#b',
    'a/b',
    'a b',
    ' ',
    'a'.repeat(129),
    'é',
    '한국',
    'a\u0000',
    'a\n',
    '\u007f',
    42,
    null,
    undefined,
    {},
  ])('%j is refused', (text) => {
    expect(parseUserId(text)).toBeUndefined();
  });

  test('is taken exactly when it is 1 to 128 printable characters without #, / and space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 140 }), (text) => {
        const isFine = (character: string) =>
          character > ' ' && character <= '~' && character !== '#' && character !== '/';
        const expected = text.length >= 1 && text.length <= 128 && [...text].every(isFine);
        expect(parseUserId(text)).toBe(expected ? text : undefined);
      }),
    );
  });
});

describe('an event id', () => {
  test.each(['a', 'A-1_b', '9', 'x'.repeat(64)])('%j is taken', (text) => {
    expect(parseEventId(text)).toBe(text);
  });

  test.each(['', '-a', '_a', 'a#b', 'a/b', 'a b', 'a.b', 'x'.repeat(65), 'é', 'a\n', 7])(
    '%j is refused',
    (text) => {
      expect(parseEventId(text)).toBeUndefined();
    },
  );
});

describe('a request id', () => {
  const requestId = '019ca6b1-dc00-7000-8000-00000000000f';

  test('is a UUID in lower case', () => {
    expect(parseRequestId(requestId)).toBe(requestId);
  });

  test.each([
    '',
    requestId.toUpperCase(),
    requestId.slice(1),
    `${requestId}0`,
    requestId.replaceAll('-', ''),
    `${requestId}\n`,
    'g19ca6b1-dc00-7000-8000-00000000000f',
  ])('%j is refused', (text) => {
    expect(parseRequestId(text)).toBeUndefined();
  });
});
