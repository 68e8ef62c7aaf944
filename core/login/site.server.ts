import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.server.ts'

/** Address of the site as the browser sees it: PUBLIC_URL, or what the request came to. */
export function siteOrigin(config: Pick<Config, 'publicUrl'>, request: Pick<FastifyRequest, 'protocol' | 'host'>): URL {
  return new URL(config.publicUrl?.origin ?? `${request.protocol}://${request.host}`)
}

/** Whether browsers offer passkeys at an address: only encrypted or on this very machine, and only under a name. */
export function allowsPasskeys({ protocol, hostname }: URL): boolean {
  const local = hostname === 'localhost' || hostname.endsWith('.localhost')
  return (protocol === 'https:' || local) && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}
