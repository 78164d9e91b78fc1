export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Caller {
  get<Body = Json>(path: string): Promise<Answer<Body>>;
  post<Body = Json>(path: string, body?: unknown): Promise<Answer<Body>>;
  patch<Body = Json>(path: string, body: unknown): Promise<Answer<Body>>;
  delete<Body = Json>(path: string): Promise<Answer<Body>>;
}

export type Json = Record<string, unknown>;

/** Calls a server as one person does, over real HTTP. */
export function callerOf(address: string, headers: Record<string, string>): Caller {
  const call = async <Body>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<Body>> => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text.startsWith('{') ? JSON.parse(text) : { text };
    return { status: response.status, headers: response.headers, body: parsed as Body };
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
  };
}

export function userOf(address: string, userId: string): Caller {
  return callerOf(address, { 'x-debug-user-id': userId });
}

export function operatorOf(address: string): Caller {
  return callerOf(address, { 'x-debug-user-id': 'operator', 'x-debug-role': 'admin' });
}
