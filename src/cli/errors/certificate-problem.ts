import type { UnreachableError } from '../../client/errors.js';

const authority = 'Name the file of the authority that has issued it: --ca FILE, or $STACK_CA_FILE with --url.';
const renew = 'Its owner must renew it.';
const plain = 'Write http:// in the URL, or name the port of a node that speaks HTTPS.';
const unknown = { problem: 'it is of an authority that is not known here', hint: authority };

/** The problem with a node's certificate by the code of TLS, and the remedy. */
const problems = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknown],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknown],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknown],
  ['UNABLE_TO_GET_ISSUER_CERT', unknown],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknown],
  ['CERT_HAS_EXPIRED', { problem: 'it has expired', hint: renew }],
  ['CERT_NOT_YET_VALID', { problem: 'it is not valid yet', hint: 'See whether the clocks are right.' }],
  ['ERR_TLS_CERT_ALTNAME_INVALID', { problem: 'it is for another name', hint: 'Use a name that it has in the URL.' }],
]);

/** Describes why a node's certificate is not believed, or that it has none; undefined for other errors. */
export function certificateProblem({ code = '', url }: Pick<UnreachableError, 'code' | 'url'>) {
  const { origin } = new URL(url);
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) {
    return { message: `${origin} does not speak HTTPS.`, hint: plain };
  }
  const known = problems.get(code);
  return known && { message: `The certificate of ${origin} is not believed: ${known.problem}.`, hint: known.hint };
}
