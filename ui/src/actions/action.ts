/** A request that changes something, before it is made. */
export interface Action {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/namespaces/{ns}/`, its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON, sent exactly as it stands here. */
  readonly body?: string;
  /** The words behind `stack`; default: those of `stack api`, which sends any request. */
  readonly cli?: readonly string[];
  /** The text that the command reads from its stdin. */
  readonly input?: string;
  /** The call of the SDK; undefined where the SDK has none. */
  readonly sdk?: SdkCall;
}

/** A call of `@hyperledger/firefly-sdk`. */
export interface SdkCall {
  /** Such as `sendBroadcast`. */
  readonly method: string;
  /** Each as JSON; default: the body alone. */
  readonly arguments?: readonly string[];
}

/** A path of the API from its parts, each encoded. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/** The path of an action with its query. */
export function targetOf({ path, query = {} }: Action): string {
  const parameters = new URLSearchParams(query);
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
