import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { handle, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, defineError, invalid } from '../error/error.ts'
import { answerKeys, answerProblems } from './answers.ts'
import { answerPublicPage, readPublicPage, type PublicAnswers, type PublicPage, type PublicSender } from './page.ts'

/** The record that a link shows. */
export interface PublicLink {
  readonly id: number
  readonly kind: string
  readonly refId: number
  /** Whether somebody opens it for the first time. */
  readonly first: boolean
  /** Whether somebody opens the page, rather than sends what they answered. */
  readonly opens: boolean
}

/** A kind of page that a module opens to people without an account. */
export interface PublicPageKind {
  /** Kept with each link: unique in the product, never changed. */
  readonly name: string
  /** What is shown; undefined when the record is gone or not open any more. It may write, such as that it was read. */
  load(tx: Queryable, link: PublicLink): Promise<PublicPage | undefined>
  /**
   * Takes answers that fit the questions of the page. A person who sends them twice under one key is answered once.
   * @returns the sentence that is shown afterwards
   * @throws AppError to refuse
   */
  answer?(tx: Queryable, link: PublicLink, answers: PublicAnswers, sender: PublicSender): Promise<string>
}

/** One sentence for all that is not there: a wrong, an old and a revoked link look the same to a stranger. */
const noPage = defineError('no_page', 404, () => '链接无效或已过期')

/** 128 random bits, which nobody guesses. */
const TOKEN_BYTES = 16
const TOKEN = /^[\w-]{22}$/

/**
 * Makes a link that shows one record to a person who has it.
 * @param until when it ends; without, only when it is revoked
 * @returns the token behind `/new/s/`
 * @public for the modules that open pages
 */
export async function createPublicLink(tx: Queryable, kind: Pick<PublicPageKind, 'name'>, refId: number, staffId: number | null, until?: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await tx.query(sql`insert into public_link (token, kind, ref_id, created_by, expires_at) values (${token}, ${kind.name}, ${refId}, ${staffId}::bigint, ${until?.toISOString() ?? null}::timestamptz)`)
  return token
}

/** Ends every link to a record at once. @public for the modules that open pages */
export async function revokePublicLinks(tx: Queryable, kind: Pick<PublicPageKind, 'name'>, refId: number): Promise<void> {
  await tx.query(sql`update public_link set revoked_at = now() where kind = ${kind.name} and ref_id = ${refId} and revoked_at is null`)
}

/** The calls of the public pages. */
export function publicPageCalls(kinds: readonly PublicPageKind[]): Served[] {
  const known = new Map<string, PublicPageKind>()
  for (const kind of kinds) {
    if (known.has(kind.name)) throw new Error(`two kinds of public pages are called ${kind.name}`)
    known.set(kind.name, kind)
  }
  const open = async (tx: Queryable, token: string | undefined, opens: boolean): Promise<{ kind: PublicPageKind; link: PublicLink; page: PublicPage }> => {
    const [row] = TOKEN.test(token ?? '') ? await tx.query<{ id: number; kind: string; ref_id: number; opened: boolean }>(sql`select id, kind, ref_id, opened_at is not null as opened from public_link
      where token = ${token} and revoked_at is null and (expires_at is null or expires_at > now())`) : []
    const kind = row && known.get(row.kind)
    if (!row || !kind) throw noPage()
    const link = { id: row.id, kind: row.kind, refId: row.ref_id, first: !row.opened, opens }
    const page = await kind.load(tx, link)
    if (!page) throw noPage()
    return { kind, link, page }
  }
  return [
    handle(readPublicPage, (call) => call.db.transaction({ staff_id: null, action: 'open_public' }, async (tx) => {
      const { link, page } = await open(tx, call.params['token'], true)
      // Pages say nothing to search engines and to whom they link.
      call.reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
      if (link.first) await tx.query(sql`update public_link set opened_at = now() where id = ${link.id}`)
      return page
    })),
    handle(answerPublicPage, (call: Call<{ answers: PublicAnswers; visitor?: string | undefined; seconds?: number | undefined }>) => call.transaction(async (tx) => {
      const { kind, link, page } = await open(tx, call.params['token'], false)
      if (page.closed !== undefined) throw badRequest(page.closed)
      if (!kind.answer || page.send === undefined) throw badRequest('该页面不需要提交')
      const problems = answerProblems(page, call.input.answers)
      if (Object.keys(problems).length > 0) throw invalid(problems)
      const keys = answerKeys(page)
      const answers = Object.fromEntries(Object.entries(call.input.answers).filter(([key]) => keys.has(key)))
      return { message: await kind.answer(tx, link, answers, { visitor: call.input.visitor ?? null, seconds: call.input.seconds ?? 0 }) }
    }, { action: 'answer_public' })),
  ]
}
