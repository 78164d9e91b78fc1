/** The client with every call passing through the hook, which may answer or fail in its place. */
export function intercepted<Client extends { send(command: never): unknown }>(
  client: Client,
  hook: Hook,
): Client {
  return new Proxy(client, {
    get(target, property) {
      if (property !== 'send') return Reflect.get(target, property);
      return (command: never) => hook(command, async () => target.send(command) as Promise<object>);
    },
  });
}

export type Hook = (command: object, send: () => Promise<object>) => Promise<object>;

/** An error as the SDK throws it. */
export function errorOfSdk(name: string): Error {
  return Object.assign(new Error(`${name} of a test`), { name });
}
