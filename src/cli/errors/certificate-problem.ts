import type { UnreachableError } from '../../client/errors.js';

const nameCa = 'Name the file of the CA certificate: --ca FILE, or $STACK_CA_FILE with --url.';
const renew = 'The owner of the node must renew it.';
const plain = 'Write http:// in the URL, or name the port of a node that speaks HTTPS.';
const unknown = { problem: 'its issuer is unknown', hint: nameCa };

/** The problems of a node's certificate, with remedies, by TLS error code. */
const problems = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknown],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknown],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknown],
  ['UNABLE_TO_GET_ISSUER_CERT', unknown],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknown],
  ['CERT_HAS_EXPIRED', { problem: 'it has expired', hint: renew }],
  ['CERT_NOT_YET_VALID', { problem: 'it is not valid yet', hint: 'Check the clocks of both machines.' }],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    { problem: 'it is for another name', hint: 'Use a name from the certificate in the URL.' },
  ],
]);

/** Describes why a node's certificate is not trusted, or that it has none; undefined for other errors. */
export function certificateProblem({ code = '', url }: Pick<UnreachableError, 'code' | 'url'>) {
  const { origin } = new URL(url);
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) {
    return { message: `${origin} does not speak HTTPS.`, hint: plain };
  }
  const known = problems.get(code);
  return known && { message: `The certificate of ${origin} is not trusted: ${known.problem}.`, hint: known.hint };
}
