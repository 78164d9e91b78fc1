/** Runs the tasks of one name in turn; those of different names side by side. */
export function createOneAtATime(): <Result>(
  name: string,
  task: () => Promise<Result>,
) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, task) => {
    const before = last.get(name) ?? Promise.resolve();
    const run = before.then(task, task);
    last.set(name, run);
    try {
      return await run;
    } finally {
      if (last.get(name) === run) last.delete(name);
    }
  };
}
