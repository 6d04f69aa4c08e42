/**
 * Whether a suite must fail where a service is absent, instead of being skipped: `REQUIRE_SERVICES` names them, such as
 * `chromium,anvil`; `1` means all.
 */
export function isRequired(service: string): boolean {
  const required = process.env['REQUIRE_SERVICES'] ?? '';
  return required === '1' || required.split(',').includes(service);
}
