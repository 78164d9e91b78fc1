import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { RESULT_CODES } from '../../domain/request.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { createLoopLag } from '../system/loop-lag.ts';

/** What is asked for when the metrics are read, instead of being kept up to date. */
export interface Gauges {
  readonly queueDepth: () => Promise<{
    readonly waiting: number;
    readonly inFlight: number;
    readonly oldestAgeMs: number;
  }>;
  readonly deadLetters: () => Promise<number>;
  readonly openStreams: () => number;
  /** Of the threads beside the main one, in seconds; 0 without any. */
  readonly gateLag: () => number;
  readonly gateConnections: () => number;
  readonly isBreakerOpen: () => boolean;
}

export interface Metrics {
  readonly telemetry: Telemetry;
  observe(gauges: Gauges): void;
  /** All of it in the Prometheus text format. */
  read(): Promise<string>;
  close(): Promise<void>;
}

export function createMetrics(): Metrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  const meter = provider.getMeter('fairline');
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const loopLag = createLoopLag();

  const counter = (name: string, description: string) => meter.createCounter(name, { description });
  const delay = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: delayBucketsSeconds },
    });
  // Counted in plain variables: the door calls them for every press.
  let accepted = 0;
  let duplicates = 0;
  const observeCount = (name: string, description: string, read: () => number) =>
    meter
      .createObservableCounter(name, { description })
      .addCallback((result) => result.observe(read()));
  observeCount('fairline_accepted', 'Participations accepted for the first time', () => accepted);
  observeCount('fairline_duplicates', 'Presses of those who take part already', () => duplicates);
  const results = counter(
    'fairline_results',
    'Requests that reached a final state, by result code',
  );
  const failures = counter('fairline_failed_attempts', 'Attempts that failed, by error code');
  const undecodable = counter('fairline_undecodable', 'Messages that could not be decoded');
  const queueDelay = delay('fairline_queue_delay_seconds', 'From queuedAt to startedAt');
  const e2eDelay = delay('fairline_e2e_delay_seconds', 'From queuedAt to finishedAt');

  undecodable.add(0);
  for (const code of RESULT_CODES) results.add(0, { code });

  const observe = (name: string, description: string, read: () => number | Promise<number>) =>
    meter.createObservableGauge(name, { description }).addCallback(async (result) => {
      result.observe(await read());
    });
  return {
    telemetry: {
      accepted: () => {
        accepted += 1;
      },
      duplicate: () => {
        duplicates += 1;
      },
      finished(requests) {
        const counts = new Map<string, number>();
        for (const { queuedAt, progress } of requests) {
          const { resultCode, startedAt, finishedAt } = progress;
          const code = resultCode ?? 'NONE';
          counts.set(code, (counts.get(code) ?? 0) + 1);
          if (startedAt !== null) queueDelay.record((startedAt - queuedAt) / 1000);
          if (finishedAt !== null) e2eDelay.record((finishedAt - queuedAt) / 1000);
        }
        for (const [code, count] of counts) results.add(count, { code });
      },
      attemptFailed: (code) => failures.add(1, { code }),
      undecodable: () => undecodable.add(1),
    },

    observe(gauges) {
      const { queueDepth, deadLetters, openStreams, gateLag, gateConnections } = gauges;
      observe(
        'fairline_event_loop_lag_seconds',
        '99th percentile since the last reading, of the thread where it is worst',
        () => Math.max(loopLag.read(), gateLag()),
      );
      observe('fairline_gate_connections', 'Open connections of all gate threads', gateConnections);
      observe('fairline_queue_depth', 'Messages waiting', async () => (await queueDepth()).waiting);
      observe(
        'fairline_queue_in_flight',
        'Messages a worker holds',
        async () => (await queueDepth()).inFlight,
      );
      observe(
        'fairline_queue_oldest_age_seconds',
        'Age of the oldest message',
        async () => (await queueDepth()).oldestAgeMs / 1000,
      );
      observe('fairline_dead_letters', 'Dead letters', deadLetters);
      observe('fairline_streams_open', 'Open event streams', openStreams);
      observe('fairline_worker_held_back', '1 while the worker waits for its store', () =>
        gauges.isBreakerOpen() ? 1 : 0,
      );
    },

    async read() {
      const { resourceMetrics } = await exporter.collect();
      return serializer.serialize(resourceMetrics);
    },

    async close() {
      loopLag.stop();
      await provider.shutdown();
    },
  };
}

const delayBucketsSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800,
];
