/** Returns the additional headers of requests and handshakes to an address: the node's credential. */
export type HeadersOf = (url: string) => Readonly<Record<string, string>>;

/** The file of a credential and how it is sent; the secret itself stays in the file. */
export interface CredentialFile {
  readonly path: string;
  readonly scheme: 'Basic' | 'Bearer';
}
