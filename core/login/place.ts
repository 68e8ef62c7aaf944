/** RFC 1918, RFC 4193 and link-local addresses. */
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/i
const OWN = /^(127\.|::1$)/

/** An address as people read it, with what can be said of it without asking anybody: 10.0.0.8（内网）. */
export function placeName(ip: string | null): string {
  if (!ip) return '—'
  const address = ip.replace(/^::ffff:/i, '')
  return OWN.test(address) ? `${address}（本机）` : PRIVATE.test(address) ? `${address}（内网）` : address
}
