import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../database/database.server.ts'
import { badRequest, badToken, defineError, tooMany } from '../error/error.ts'
import { rateLimit } from '../endpoint/rate.server.ts'
import type { AppClient, AppScope } from '../endpoint/app-scope.ts'

/** Finds the living app whose key has a hash, and notes that it was used. */
export type FindAppClient = (db: Database, hash: string) => Promise<AppClient | undefined>

const MINUTE = 60_000
/** Wrong keys from one address in ten minutes: apps' servers share one. */
const MISSES = 60
const MISSES_WITHIN = 10 * MINUTE
/** Keys begin with it, so that one that leaked into a repository is found by looking for it. */
const PREFIX = 'dk_'
const KEY = /^Bearer (dk_[\w-]{43})$/

const lacksScope = defineError('app_scope', 403, (label: string) => `该应用没有「${label}」权限，请联系管理员开通`)

/** Only the hash of a key is kept. */
export const hashAppKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** A key of 256 random bits. */
export const newAppKey = (): string => PREFIX + randomBytes(32).toString('base64url')

/**
 * Lets learners' apps in by their keys.
 * @param find absent: no app is known
 * @returns finds the app that makes a call
 */
export function appClients(db: Database, find: FindAppClient | undefined): (request: FastifyRequest, scope: AppScope, writes: boolean) => Promise<AppClient> {
  const mayMiss = rateLimit(MISSES, MISSES_WITHIN)
  const rates = new Map<number, { perMinute: number; may: (key: string) => boolean }>()
  const mayCall = ({ id, perMinute }: AppClient): boolean => {
    const known = rates.get(id)
    if (known?.perMinute === perMinute) return known.may('')
    const may = rateLimit(perMinute, MINUTE)
    rates.set(id, { perMinute, may })
    return may('')
  }
  return async (request, scope, writes) => {
    const [, key] = KEY.exec(request.headers.authorization ?? '') ?? []
    const client = key === undefined ? undefined : await find?.(db, hashAppKey(key))
    if (!client) {
      if (key !== undefined && !mayMiss(request.ip)) throw tooMany('尝试次数过多，请稍后再试')
      throw badToken()
    }
    if (!mayCall(client)) throw tooMany(`调用过于频繁，每分钟最多 ${client.perMinute} 次`)
    if (!client.scopes.includes(scope.name)) throw lacksScope(scope.label)
    // A connection that broke says nothing about whether the call was done: the app sends it again under the same key.
    if (writes && !request.headers['idempotency-key']) throw badRequest('写入请求须带 Idempotency-Key，重试时使用同一个值')
    return client
  }
}
