import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.server.ts'
import { PUBLIC_PAGE } from '../public-page/page.ts'

const dist = join(import.meta.dirname, '../../dist')

/** Base path of the console (spec 2). */
export const CONSOLE = '/new'

/** Serves the built console below its base path; every path that is no file is a screen, so that F5 works. */
export async function serveConsole(app: FastifyInstance, config: Config): Promise<void> {
  app.get('/', async (_request, reply) => {
    // The old console lives at the root of the site (spec 2); where there is none, say where the new one is.
    if (config.legacyUrl) return reply.redirect(config.legacyUrl)
    return reply.type('text/html').send(`<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>道远后台</title><p>旧版后台未配置。<a href="${CONSOLE}/">进入新版后台</a></p></html>`)
  })
  const built = existsSync(join(dist, 'index.html'))
  // The console tells Sentry itself; its address is no secret, a person who opens the console sees it.
  const sentry = config.sentryDsn ? `<meta name="sentry-dsn" content="${config.sentryDsn.href.replaceAll('"', '%22')}">` : ''
  const page = built ? (await readFile(join(dist, 'index.html'), 'utf8')).replace('<title>', `${sentry}<title>`) : '控制台尚未构建'
  const sendPage = (reply: FastifyReply) => reply.type(built ? 'text/html' : 'text/plain').header('cache-control', 'no-cache').send(page)
  // The router takes both spellings for one; relative addresses in the page need the slash.
  app.get(CONSOLE, (request, reply) => (request.url.startsWith(`${CONSOLE}/`) ? sendPage(reply) : reply.redirect(`${CONSOLE}/`)))
  if (!built) return
  await app.register(fastifyStatic, {
    root: dist,
    prefix: `${CONSOLE}/`,
    preCompressed: true,
    index: false,
    wildcard: false,
    setHeaders: (reply, path) => {
      // Built files carry a hash in their name; the page that names them must always be asked for.
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const publicPage = await readFile(join(dist, 'public/public-page.html'), 'utf8')
  // Its address is a secret that opens it.
  app.get(PUBLIC_PAGE, (_request, reply) => reply.type('text/html').headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }).send(publicPage))
  // A built file of another release is gone and no screen: the console has to notice that.
  app.get(`${CONSOLE}/assets/*`, (_request, reply) => reply.status(404).type('text/plain').send('文件不存在'))
  app.get(`${CONSOLE}/*`, (_request, reply) => sendPage(reply))
}
