/**
 * The request header that, with the value `true`, asks for unknown parameters and members to be refused rather than
 * ignored. Parley's own clients send it, so that a typing error in a filter is reported. Clients of FireFly do not know
 * it and send parameters without a meaning.
 */
export const strictHeader = 'X-Parley-Strict';
/** The response header that lists ignored query parameters and members of the body. */
export const ignoredHeader = 'X-Parley-Ignored';
