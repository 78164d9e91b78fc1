import pino from 'pino';
import type { Logger } from '../../ports/logger.ts';

/** JSON lines, or readable ones on a terminal. Whatever looks like a credential is left out. */
export function createLogger(isTerminal: boolean): Logger {
  const options: pino.LoggerOptions = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    redact: {
      paths: [
        'authorization',
        'cookie',
        'token',
        'secret',
        '*.authorization',
        '*.cookie',
        '*.token',
      ],
      censor: '[redacted]',
    },
    serializers: { err: pino.stdSerializers.errWithCause },
  };
  if (!isTerminal) return pino(options);
  return pino({
    ...options,
    formatters: {},
    transport: { target: 'pino-pretty', options: { colorize: true, translateTime: 'HH:MM:ss' } },
  });
}
