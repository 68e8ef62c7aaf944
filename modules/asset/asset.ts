import { choice, shelf } from '../../core/field/choice.ts'
import { file, image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { group } from '../../core/field/group.ts'
import { number } from '../../core/field/number.ts'
import { treeReferenceList } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { DOCUMENTS, IMAGES, UPLOAD_KINDS, VIDEOS } from '../../core/file/kinds.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { defineResource, itemsTotal } from '../../core/resource/define.ts'
import { screenId, type ScreenPath } from '../screens.ts'
import { subtitlesSchema } from './subtitle.ts'
import { materialTag } from './tag.ts'

export const ASSET_KINDS = [
  { value: 'video', label: '视频' }, { value: 'image', label: '图片' }, { value: 'audio', label: '音频' }, { value: 'document', label: '文档' },
] as const
export type AssetKind = (typeof ASSET_KINDS)[number]['value']

/** What becomes of an asset. While it is uploaded there is none yet: the tray knows of it. */
export const ASSET_STATE = { checking: 0, ready: 1, unplayable: 2, failed: 3, off: 4 } as const
export const ASSET_STATES = [
  { value: ASSET_STATE.checking, label: '检查中', tone: 'processing' }, { value: ASSET_STATE.ready, label: '可用', tone: 'success' },
  { value: ASSET_STATE.unplayable, label: '待转码', tone: 'warning' }, { value: ASSET_STATE.failed, label: '失败', tone: 'error' },
  { value: ASSET_STATE.off, label: '停用', tone: 'default' },
] as const

/** Whether we may show it to learners, and until when. */
const LICENCES = [
  { value: 'pending', label: '待核', tone: 'warning' }, { value: 'own', label: '自制', tone: 'success' }, { value: 'licensed', label: '授权', tone: 'processing' }, { value: 'public', label: '公版', tone: 'default' },
] as const

/** domain 1.19: the longest video that lessons are cut into; longer ones are a mistake of the export. */
const LONGEST = 24 * 3600

/** What differs between the kinds: how they are called, where they are shown, what is taken, what is known of them. */
interface KindRow {
  readonly kind: AssetKind
  readonly label: string
  readonly screen: ScreenPath
  readonly path: readonly [list: string, item: string]
  readonly accept: readonly string[]
  readonly maxBytes: number
  readonly columns: readonly ('seconds' | 'width' | 'height' | 'codec')[]
  /** It runs, so that there is something at a second of it. */
  readonly runs: boolean
}

const VIDEO = [...VIDEOS.accept, ...UPLOAD_KINDS.footage.accept]

/** Kinds of uploads that become assets of each kind. */
export const UPLOADS = { video: ['video', 'footage'], audio: ['audio'], image: ['image'], document: ['print', 'file'] } as const satisfies Record<AssetKind, readonly (keyof typeof UPLOAD_KINDS)[]>

/** Assets of one kind; all of them lie in one table. */
function assetResource({ kind, label, screen, path, accept, maxBytes, columns, runs }: KindRow) {
  const { checking, ready, unplayable, failed, off } = ASSET_STATE
  return defineResource({
    name: `${kind}_asset`,
    table: 'asset',
    label,
    grant: screenId(screen),
    rights: defineRights(screenId(screen), { shelve: [12, '启用和停用'], replace: [13, '替换文件和转移引用'] }),
    api: { list: `/material/api/end/${path[0]}`, item: `/material/api/end/${path[1]}`, reply: itemsTotal },
    fields: {
      kind: choice('种类', ASSET_KINDS, { required: true, readonly: true }),
      name: text('名称', { required: true, max: 80, search: true }),
      /** The address that plays; another one after a replacement. */
      url: file('文件', { required: true, createOnly: true, unique: true, accept, maxBytes }),
      tag_ids: treeReferenceList('标签', () => materialTag),
      cover: image('封面'),
      licence: choice('授权', LICENCES, { required: true, initial: 'pending' }),
      licence_until: date('授权到期', { help: '到期前 30 天在列表中提醒' }),
      remark: longText('备注', { max: 200 }),
      subtitles: json('字幕', subtitlesSchema, { initial: [] }),
      chapters: group('章节', { sec: number('开始于', { required: true, min: 0, max: LONGEST, unit: '秒' }), title: text('标题', { required: true, max: 60 }) }, { max: 100 }),
      cues: group('打点', {
        sec: number('时间', { required: true, min: 0, max: LONGEST, unit: '秒' }),
        practice_id: number('试题编号', { required: true, min: 1 }),
        must: choice('要求', [{ value: 1, label: '答对才能继续' }, { value: 0, label: '可以跳过' }]),
        back_to: number('答错回到', { min: 0, max: LONGEST, unit: '秒' }),
      }, { max: 50 }),
      // What the server found in the bytes; people cannot say otherwise.
      sha256: text('校验值', { readonly: true, max: 64, unique: true, audit: false }),
      bytes: number('大小', { readonly: true, max: 2 ** 40 }),
      width: number('宽', { readonly: true, min: 0, unit: '像素' }),
      height: number('高', { readonly: true, min: 0, unit: '像素' }),
      seconds: number('时长', { readonly: true, min: 0, digits: 3, unit: '秒' }),
      codec: text('编码', { readonly: true, max: 40 }),
      audio_codec: text('声音编码', { readonly: true, max: 40 }),
      /** Uploaded to take its place; the bytes that are there play until it was looked at. */
      next_url: file('待替换文件', { readonly: true, accept, maxBytes }),
      next_sha256: text('待替换文件的校验值', { readonly: true, max: 64, audit: false }),
      /** By how much what is bound to seconds moves when the file takes its place. */
      next_shift: number('平移', { readonly: true, min: -86_400, max: 86_400, digits: 3, unit: '秒', audit: false }),
      fail_reason: text('说明', { readonly: true, max: 200 }),
      state: choice('状态', ASSET_STATES, { readonly: true, initial: checking }),
      status: shelf('启用', { state: 'state', on: [ready], off }, { on: '启用', off: '停用' }),
      use_count: computed('引用'),
      needs: segment('待整理', [
        { value: 'unused', label: '无引用' }, { value: 'untagged', label: '未打标' }, ...(runs ? [{ value: 'unsubtitled' as const, label: '无字幕' }] : []), { value: 'expiring', label: '授权将到期' },
      ]),
    },
    list: {
      columns: ['name', 'cover', 'state', 'tag_ids', 'use_count', ...columns, 'bytes', 'licence', 'licence_until', 'updated_at', 'status', 'fail_reason', 'audio_codec', 'created_by_name', 'created_at', 'id'], under: ['fail_reason'],
      filters: ['tag_ids', 'state', 'needs', 'licence', 'codec', 'status', 'created_at'],
    },
    form: [
      { title: '基本信息', fields: ['name', 'url', 'tag_ids', 'cover', 'licence', 'licence_until', 'remark'] },
      ...(runs ? [{ title: '随片内容', fields: ['subtitles', 'chapters', 'cues'] as const }] : []),
    ],
    transitions: [
      { name: 'check', label: '重新检查', field: 'state', from: [failed, unplayable], to: checking, instead: '重新检查只读取文件，不改变内容' },
      { name: 'disable', label: '停用', field: 'state', from: [ready], to: off, right: 'shelve', danger: true, confirm: '停用后不能再被新内容引用，已引用的地方照常使用。' },
      { name: 'enable', label: '启用', field: 'state', from: [off], to: ready, right: 'shelve' },
    ],
    logged: [{ name: 'replace', label: '替换文件' }, { name: 'move_uses', label: '转移引用' }],
    policies: [{ of: ['replace'], policy: 'while', field: 'state', values: [ready, unplayable, failed], why: '检查中和停用的素材不能替换文件' }],
    indexes: [['kind', 'id'], ['kind', 'state', 'id']],
    where: { kind },
  })
}

export const videoAsset = assetResource({ kind: 'video', label: '视频素材', screen: '/material/store/video', path: ['videos', 'video'], accept: VIDEO, maxBytes: VIDEOS.maxBytes, columns: ['seconds', 'width', 'height', 'codec'], runs: true })
export const audioAsset = assetResource({ kind: 'audio', label: '音频素材', screen: '/material/store/video', path: ['audios', 'audio'], accept: UPLOAD_KINDS.audio.accept, maxBytes: UPLOAD_KINDS.audio.maxBytes, columns: ['seconds', 'codec'], runs: true })
export const imageAsset = assetResource({ kind: 'image', label: '图片素材', screen: '/material/store/image', path: ['images', 'image'], accept: IMAGES.accept, maxBytes: IMAGES.maxBytes, columns: ['width', 'height'], runs: false })
export const documentAsset = assetResource({ kind: 'document', label: '文档素材', screen: '/material/store/image', path: ['documents', 'document'], accept: DOCUMENTS.accept.filter((type) => !type.startsWith('image/')), maxBytes: UPLOAD_KINDS.print.maxBytes, columns: [], runs: false })

/** Where each kind is shown: a screen shows two of them, the first unless told. */
const PLACES: Readonly<Record<AssetKind, { screen: ScreenPath; first: boolean }>> = {
  video: { screen: '/material/store/video', first: true }, audio: { screen: '/material/store/video', first: false },
  image: { screen: '/material/store/image', first: true }, document: { screen: '/material/store/image', first: false },
}

/** All kinds, by name. */
export const ASSETS = { video: videoAsset, audio: audioAsset, image: imageAsset, document: documentAsset } as const satisfies Record<AssetKind, unknown>

/** Address of the list of a kind, and of one of its assets there. */
export function assetPath(kind: AssetKind, id?: number): string {
  const { screen, first } = PLACES[kind]
  const query = new URLSearchParams({ ...(!first && { kind }), ...(id !== undefined && { open: String(id) }) })
  return query.size > 0 ? `${screen}?${query}` : screen
}
