import {
  type BatchResultErrorEntry,
  CreateQueueCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startSqsEmulator } from './sqs-emulator.ts';

/** A client of an emulator with one queue, whose calls a test can see and meddle with. */
export interface TestSqs {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  /** Every call since the start, oldest first. */
  readonly calls: readonly SqsCall[];
  callsOf(name: string): SqsCall[];
  /** Stands between the caller and the SDK, behind those that came before. */
  intercept(interceptor: Interceptor): void;
  /** Fails the entries of batch calls for which it answers something. */
  refuse(refusalOf: (entry: BatchEntry) => Omit<BatchResultErrorEntry, 'Id'> | undefined): void;
  /** Keeps such calls waiting until the function that it answers is called. */
  hold(isHeld?: () => boolean): () => void;
  sendRaw(body: string): Promise<void>;
  stop(): Promise<void>;
}

export interface SqsCall {
  /** As in `ReceiveMessage`. */
  readonly name: string;
  readonly input: SqsInput;
}

/** The union of what the tests look at. */
export interface SqsInput {
  readonly Entries?: readonly BatchEntry[];
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
  readonly VisibilityTimeout?: number;
}

export interface BatchEntry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly ReceiptHandle?: string;
}

export type Interceptor = (
  call: SqsCall,
  pass: (input: SqsInput) => Promise<object>,
) => Promise<object>;

export async function createTestSqs(): Promise<TestSqs> {
  const emulator = await startSqsEmulator();
  const sqs = new SQSClient({
    endpoint: emulator.url,
    region: 'ap-northeast-2',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    useQueueUrlAsEndpoint: false,
  });
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'tested' }));
  const calls: SqsCall[] = [];

  const intercept = (interceptor: Interceptor): void => {
    sqs.middlewareStack.add(
      (next, context) => async (args) => {
        const name = String(context['commandName']).replace(/Command$/, '');
        const pass = async (input: SqsInput): Promise<object> =>
          (await next({ ...args, input: input as typeof args.input })).output;
        const output = await interceptor({ name, input: args.input as SqsInput }, pass);
        return { output: { $metadata: {}, ...output }, response: {} };
      },
      { step: 'initialize', priority: 'high' },
    );
  };

  intercept((call, pass) => {
    calls.push(call);
    return pass(call.input);
  });

  return {
    sqs,
    queueUrl: QueueUrl,
    calls,
    callsOf: (name) => calls.filter((call) => call.name === name),
    intercept,
    refuse(refusalOf) {
      intercept(async ({ input }, pass) => {
        const { Entries = [] } = input;
        const failed = Entries.flatMap((entry) => {
          const refusal = refusalOf(entry);
          return refusal === undefined ? [] : [{ ...refusal, Id: entry.Id }];
        });
        const refused = new Set(failed.map(({ Id }) => Id));
        const taken = Entries.filter(({ Id }) => !refused.has(Id));
        if (refused.size === 0) return pass(input);
        const answer = taken.length > 0 ? await pass({ ...input, Entries: taken }) : {};
        return { ...answer, Failed: failed };
      });
    },
    hold(isHeld = () => true) {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      intercept(async ({ input }, pass) => {
        if (isHeld()) await released;
        return pass(input);
      });
      return release;
    },
    async sendRaw(body) {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    },
    async stop() {
      sqs.destroy();
      await emulator.stop();
    },
  };
}
