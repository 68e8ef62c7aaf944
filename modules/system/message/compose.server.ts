import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import { AppError } from '../../../core/error/error.ts'
import { formatTime } from '../../../core/field/time.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { waitingSums } from '../../../core/inbox/waiting.server.ts'
import { inInbox, INBOX_PATH } from '../../../core/inbox/waiting.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { filterQuery, parseListState } from '../../../core/list/list-state.ts'
import { viewSearch } from '../../../core/list/saved-views.ts'
import { COUNT_CAP, readTotal } from '../../../core/resource/list.server.ts'
import { writeXlsx } from '../../../core/sheet/write.server.ts'
import { tablePicture } from '../../../core/subscription/picture.ts'
import { drawsChinese, toPng } from '../../../core/subscription/picture.server.ts'
import { chosenQuery } from '../../../core/transfer/chosen.server.ts'
import { exportKeys } from '../../../core/transfer/columns.ts'
import { fileName, hideMobiles, records } from '../../../core/transfer/export.server.ts'
import { sheetColumns, type SheetColumn } from '../../../core/transfer/sheet-column.server.ts'
import { sheetWords } from '../../../core/transfer/sheet-words.ts'
import type { Message } from './channel.server.ts'
import { countedView, drawCounts, namesNobody } from './view-picture.server.ts'

/** Rows that a mail shows, and that a workbook in a mail holds: more is what the list is for. */
const SHOWN_ROWS = 20
export const FILE_ROWS = 5000
const SHOWN_COLUMNS = 8

/** Why nothing is sent, in words; not a failure. */
export class NothingToSend extends Error {}

/** A delivery with its subscription, as it is taken up. */
export interface Claimed {
  readonly id: number
  readonly kind: 'view' | 'inbox' | 'alert'
  readonly title: string
  readonly staff_id: number | null
  readonly link: string | null
  readonly view_id: number | null
  readonly format: string | null
  readonly path: string | null
  readonly token: string | null
  /** Whether it goes to a group: numbers and links only, or a picture of numbers. */
  readonly group: boolean
}

type Parts = Pick<Kernel, 'db' | 'registry' | 'waiting' | 'sessions' | 'config'>

const escape = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Address of a page of the console, for whoever reads outside of it. */
export const consoleAddress = ({ publicUrl, host, port }: Kernel['config'], path: string): string => new URL(`new${path}`, publicUrl ?? `http://${host}:${port}/`).href

const PICTURE_CID = 'view@daoyuan'

const cell = 'style="border:1px solid #d9d9d9;padding:4px 8px;text-align:left"'

function tableHtml(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') => `<tr>${cells.map((text) => `<${tag} ${cell}>${escape(text)}</${tag}>`).join('')}</tr>`
  return `<table style="border-collapse:collapse;font-size:14px">${line(columns, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table>`
}

/** Makes both spellings of a message of its parts. */
function messageOf({ config }: Pick<Parts, 'config'>, claimed: Claimed, title: string, lines: readonly string[], href: string, more: { table?: string; files?: Message['mail']['files']; picture?: Buffer } = {}): Message {
  const off = claimed.token === null ? null : consoleAddress(config, `/s/${claimed.token}`)
  const html = `<h3>${escape(title)}</h3>${lines.map((line) => `<p>${escape(line)}</p>`).join('')}${more.table ?? ''}${more.picture ? `<p><img src="cid:${PICTURE_CID}" alt="${escape(title)}" style="max-width:100%"></p>` : ''}<p><a href="${escape(href)}">在后台查看</a></p>${off ? `<p style="color:#666;font-size:12px">这是您在道远后台订阅的消息。<a href="${escape(off)}">取消订阅</a></p>` : ''}`
  const text = [title, ...lines, `在后台查看：${href}`, ...(off ? [`取消订阅：${off}`] : [])].join('\n')
  const files = [...more.files ?? [], ...(more.picture ? [{ name: `${title.replace(/[\\/:*?"<>|]/g, ' ')}.png`, content: more.picture, cid: PICTURE_CID }] : [])]
  return { mail: { subject: title, text, html, ...(files.length > 0 && { files }) }, robot: { title, lines, link: { words: '在后台查看', href }, ...(more.picture && { picture: more.picture }) } }
}

async function composeInbox(parts: Parts, claimed: Claimed, staff: Staff): Promise<Message> {
  const { db, registry, waiting } = parts
  const sums = (await waitingSums(waiting, { db, staff, registry, now: Math.floor(Date.now() / 1000) })).filter(inInbox)
  if (sums.length === 0) throw new NothingToSend('没有待办，不发送')
  const [count, late] = [sums.reduce((sum, one) => sum + one.count, 0), sums.reduce((sum, one) => sum + one.late, 0)]
  const words = sums.map((one) => `${one.title} ${one.count} 项${one.late > 0 ? `，已超时 ${one.late} 项` : ''}${one.today > 0 ? `，今天到期 ${one.today} 项` : ''}`)
  return messageOf(parts, claimed, `待我处理 ${count} 项${late > 0 ? `，已超时 ${late} 项` : ''}`, words, consoleAddress(parts.config, INBOX_PATH))
}

async function workbook(db: Database, staff: Staff, service: Parameters<typeof records>[0], query: ReturnType<typeof chosenQuery>, columns: readonly SheetColumn[]): Promise<Buffer> {
  const target = new PassThrough()
  const context = { db, staff, signal: AbortSignal.timeout(60_000) }
  const [content] = await Promise.all([buffer(target), writeXlsx(target, { columns, sheetName: service.resource.label, signal: context.signal, rows: records(service, query, columns, context, FILE_ROWS) })])
  return content
}

async function composeView(parts: Parts, claimed: Claimed, staff: Staff): Promise<Message> {
  const { db, registry } = parts
  // What a colleague does not share any more is theirs alone again.
  const [view] = await db.query<{ id: number; list: string; name: string; query: string; columns: string[] | null }>(sql`select id, list, name, query, columns from saved_view where id = ${claimed.view_id ?? 0} and (staff_id = ${staff.id} or shared)`)
  if (!view) throw new NothingToSend('视图已删除，或不再共享')
  const service = registry.get(view.list)
  if (!service || !staff.modules.has(service.resource.grant)) throw new NothingToSend('订阅人已没有该列表的权限')
  const { resource } = service
  const whole = claimed.format === 'xlsx' && !claimed.group
  if (whole && !(resource.actions.export !== undefined && staff.modules.has(resource.actions.export))) throw new NothingToSend('订阅人已没有该列表的导出权限')
  const query = chosenQuery(resource, staff, filterQuery(parseListState(new URLSearchParams(view.query))), undefined)
  const total = await readTotal(db, resource, staff, query)
  const many = total >= COUNT_CAP ? '10,000+' : total.toLocaleString('zh-CN')
  const now = Math.floor(Date.now() / 1000)
  const href = consoleAddress(parts.config, `${claimed.path ?? '/'}?${viewSearch(view).toString()}`)
  const title = `${resource.label}「${view.name}」${many} 条`
  const lines = [`截至 ${formatTime(now).slice(0, 16)}`]
  const counted = claimed.format === 'picture' ? countedView(resource, view.query) : undefined
  if (claimed.group && !(counted && namesNobody(resource, counted))) return messageOf(parts, claimed, title, lines, href)
  if (claimed.format === 'picture' && !await drawsChinese()) throw new NothingToSend('服务器没有中文字体，不能生成图片')
  if (counted) return messageOf(parts, claimed, title, lines, href, { picture: await toPng(await drawCounts(parts, staff, service, counted, query, title, lines)) })
  const known = new Set(exportKeys(resource))
  const keys = (view.columns ?? resource.list.columns).filter((key) => known.has(key))
  if (whole) {
    const content = await workbook(db, staff, service, query, sheetColumns(resource, keys, false, staff))
    // What leaves the house is written down like any other export.
    await db.query(sql`insert into audit_log (staff_id, action, entity, entity_id, after) values (${staff.id}, 'export', ${resource.table}, 0, ${JSON.stringify({ query: hideMobiles(query), columns: keys, format: 'xlsx', plain: false, rows: Math.min(total, FILE_ROWS), mail: true })}::jsonb)`)
    return messageOf(parts, claimed, title, total > FILE_ROWS ? [...lines, `附件只含前 ${FILE_ROWS} 条，全部请在后台导出`] : lines, href, { files: [{ name: fileName(resource.label, 'xlsx'), content }] })
  }
  const columns = sheetColumns(resource, keys.slice(0, SHOWN_COLUMNS), false, staff)
  const rows: string[][] = []
  for await (const row of records(service, query, columns, { db, staff, signal: AbortSignal.timeout(60_000) }, SHOWN_ROWS)) rows.push(columns.map(({ key, type }) => sheetWords(type, row[key])))
  const said = total > SHOWN_ROWS ? [...lines, `以下为前 ${SHOWN_ROWS} 条`] : lines
  const heads = columns.map(({ label }) => label)
  if (claimed.format === 'picture') return messageOf(parts, claimed, title, said, href, { picture: await toPng(tablePicture({ title, lines: said }, heads, rows)) })
  return messageOf(parts, claimed, title, said, href, { table: rows.length > 0 ? tableHtml(heads, rows) : '' })
}

const composeAlert = (parts: Parts, claimed: Claimed): Message => messageOf(parts, claimed, claimed.title, [], consoleAddress(parts.config, claimed.link ?? '/'))

/**
 * Makes what is sent, by the rights that the person has now.
 * @throws NothingToSend with the reason, where nothing may or need be sent
 */
export async function compose(parts: Parts, claimed: Claimed): Promise<Message> {
  if (claimed.staff_id === null) return composeAlert(parts, claimed)
  const staff = await parts.sessions.staff(parts.db, claimed.staff_id)
  if (!staff) throw new NothingToSend('接收人已停用或离职')
  try {
    const by = { view: () => composeView(parts, claimed, staff), inbox: () => composeInbox(parts, claimed, staff), alert: () => Promise.resolve(composeAlert(parts, claimed)) }
    return await by[claimed.kind]()
  } catch (error) {
    // A filter that means nothing any more is said in its own words.
    throw error instanceof AppError ? new NothingToSend(error.message) : error
  }
}
