import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.server.ts'

/** What an administrator can do about each reason why a server cannot listen. */
const REASONS: Readonly<Record<string, (config: Config) => string>> = {
  EADDRINUSE: ({ port }) => `端口 ${port} 已被占用，请停止占用它的程序，或用 PORT 指定另一个端口`,
  EACCES: ({ port }) => `没有权限使用端口 ${port}，请用 PORT 指定 1024 以上的端口`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} 不是本机的地址`,
  ENOTFOUND: ({ host }) => `HOST ${host} 无法解析`,
}

/**
 * Begins to answer.
 * @throws Error with a sentence for the administrator, when the address cannot be used
 */
export async function listen(http: FastifyInstance, config: Config): Promise<void> {
  try {
    await http.listen({ port: config.port, host: config.host })
  } catch (error) {
    const reason = REASONS[error instanceof Error && 'code' in error ? String(error.code) : '']
    throw reason ? new Error(reason(config), { cause: error }) : error
  }
}
