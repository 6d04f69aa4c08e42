/**
 * The request header that, with the value `true`, makes a node refuse unknown parameters and members rather than ignore
 * them. Parley's own clients send it, so that a typing error in a filter is reported. Clients of FireFly do not know it
 * and send parameters without a meaning.
 */
export const strictHeader = 'X-Parley-Strict';
/** The response header that lists ignored query parameters and members of the body. */
export const ignoredHeader = 'X-Parley-Ignored';
