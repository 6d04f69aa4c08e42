/** What requests and handshakes to an address carry beside their own headers: the credential of the node there. */
export type HeadersOf = (url: string) => Readonly<Record<string, string>>;

/** Where a credential is and how it is sent; the secret itself stays in its file. */
export interface CredentialFile {
  readonly path: string;
  readonly scheme: 'Basic' | 'Bearer';
}
