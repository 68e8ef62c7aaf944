import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import type { Config } from '../config.server.ts'

/**
 * The security headers of every answer. They are the same for all, while the library would work them out for each: they
 * are taken once from an answer that it made.
 */
export async function securityHeaders(config: Pick<Config, 'publicUrl' | 'sentryDsn'>): Promise<Record<string, string>> {
  const secure = config.publicUrl?.protocol === 'https:'
  const probe = Fastify()
  await probe.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library writes its styles at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...(config.sentryDsn ? [config.sentryDsn.origin] : [])],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  probe.get('/', (_request, reply) => reply.send())
  const own = new Set(['connection', 'content-length', 'date'])
  const { headers } = await probe.inject('/')
  await probe.close()
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])))
}
