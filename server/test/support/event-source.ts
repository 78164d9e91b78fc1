import { onTestFinished } from 'vitest';

export interface StreamedEvent {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

export interface EventSource {
  readonly status: number;
  readonly contentType: string | null;
  /** The next event, or undefined when the stream has ended. */
  next(): Promise<StreamedEvent | undefined>;
  /** All that come until the end. */
  rest(): Promise<StreamedEvent[]>;
  close(): void;
}

/** Reads server-sent events from a real connection. */
export async function openEventSource(
  url: string,
  headers: Record<string, string>,
): Promise<EventSource> {
  const closing = new AbortController();
  const response = await fetch(url, { headers, signal: closing.signal });
  onTestFinished(() => closing.abort());
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = '';

  const next = async (): Promise<StreamedEvent | undefined> => {
    for (;;) {
      const end = buffered.indexOf('\n\n');
      if (end !== -1) {
        const block = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (block.includes('data: ')) return parse(block);
        continue;
      }
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return undefined;
      buffered += chunk.value;
    }
  };

  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    next,
    async rest() {
      const events: StreamedEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) events.push(event);
      return events;
    },
    close: () => closing.abort(),
  };
}

function parse(block: string): StreamedEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')] as const;
    }),
  );
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}'),
  };
}
