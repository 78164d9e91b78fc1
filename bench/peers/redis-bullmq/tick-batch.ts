interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects the items of one event-loop turn and hands them over together, so that everything that
 * arrived on the sockets in that turn shares one round trip and one fsync.
 */
export class TickBatch<Item, Result> {
  private entries: Entry<Item, Result>[] = [];
  private readonly handOver: (items: readonly Item[]) => Promise<readonly Result[]>;

  constructor(handOver: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.handOver = handOver;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.entries.push({ item, resolve, reject });
      if (this.entries.length === 1) setImmediate(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    const entries = this.entries;
    this.entries = [];
    try {
      const results = await this.handOver(entries.map((entry) => entry.item));
      entries.forEach((entry, index) => {
        entry.resolve(results[index] as Result);
      });
    } catch (error) {
      for (const entry of entries) entry.reject(error);
    }
  }
}
