import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { addBelow, blocksByNode, createOutline, editAtOnce, inOrder, moveTo, newKey, readOwned, type Change, type OutlineNode, type OwnedOutline } from '../outline/door.server.ts'
import { addSection, dropSection, lessonSections, openSections, setSection, type LessonSection, type SectionInput } from './calls.ts'
import { findLesson, lessonToEdit } from './find.server.ts'
import { OUTLINE_KIND } from './lesson.ts'

/** Where videos stand that came without a section: calls of the specification know no such node. */
export const LOOSE = { key: 'loose', name: '未分节' } as const
/** Kinds of nodes: what has something below it, and what is learned. */
const CHAPTER = 2
const LESSON = 4
const FREE = 2
const STEP = 10

/** Sections as calls of the specification know them, in their order. */
export function sectionsOf({ draft, nodeIds }: OwnedOutline): LessonSection[] {
  const blocks = blocksByNode(draft.blocks)
  const places = new Map<string | null, number>()
  return inOrder(draft.nodes).flatMap(({ node, gone }) => {
    if (gone || node.key === LOOSE.key) return []
    const place = (places.get(node.parent) ?? 0) + 1
    places.set(node.parent, place)
    const own = blocks.get(node.key) ?? []
    const count = (kind: string) => own.filter((block) => block.kind === kind).length
    return [{
      id: nodeIds.get(node.key) ?? 0, parent_id: node.parent === null ? null : nodeIds.get(node.parent) ?? null, name: node.name, free: node.free === FREE, sort: place * STEP, video_cnt: count('video'), paper_cnt: count('paper'),
    }]
  })
}

/** The living node that a section's id names. @throws AppError when there is none */
export function sectionOf({ draft, nodeIds }: OwnedOutline, id: number): OutlineNode {
  const found = inOrder(draft.nodes).find(({ node, gone }) => !gone && nodeIds.get(node.key) === id && node.key !== LOOSE.key)
  if (!found) throw notFound('章节')
  return found.node
}

/** The sibling before which something with this place comes; behind all of them without it. */
function siblingAt(outline: OwnedOutline, parent: OutlineNode | undefined, sort: number | undefined, without?: string): string | undefined {
  if (sort === undefined) return undefined
  const parentId = parent ? outline.nodeIds.get(parent.key) : null
  const next = sectionsOf(outline).find((one) => one.parent_id === parentId && one.sort >= sort && outline.nodeIds.get(without ?? '') !== one.id)
  return [...outline.nodeIds].find(([, id]) => id === next?.id)?.[0]
}

/** What stands above a section, which itself stands at the top. */
function parentOf(outline: OwnedOutline, id: number | null | undefined): OutlineNode | undefined {
  if (id === null || id === undefined) return undefined
  const parent = sectionOf(outline, id)
  if (parent.parent !== null) throw badRequest('章节最多两级，请选择第一级章节')
  return parent
}

/** What has something below it is a chapter. */
const asChapter = (parent: OutlineNode | undefined): Change[] => (parent && parent.kind === LESSON ? [{ do: 'set', keys: [parent.key], values: { kind: CHAPTER } }] : [])
const freeOf = (free: SectionInput['free']) => (free === undefined ? {} : { free: free === true || free === 1 ? FREE : null })

function addTo(outline: OwnedOutline, key: string, { name = '', parent_id, free, sort }: SectionInput): Change[] {
  const parent = parentOf(outline, parent_id)
  const node = { key, kind: LESSON, name, free: null, trial_minutes: null, unlock: 0, unlock_score: null, open_at: null, label_ids: [], chapter_id: null, ...freeOf(free) }
  return [...asChapter(parent), ...addBelow(outline.draft, parent?.key ?? null, [node], siblingAt(outline, parent, sort))]
}

function changeIn(outline: OwnedOutline, id: number, { name, parent_id, free, sort }: SectionInput): Change[] {
  const node = sectionOf(outline, id)
  const parent = parent_id === undefined ? outline.draft.nodes.get(node.parent ?? '') : parentOf(outline, parent_id)
  if (parent?.key === node.key) throw badRequest('章节不能放到自己下面')
  if (parent && parent.key !== node.parent && [...outline.draft.nodes.values()].some((one) => one.parent === node.key && !one.gone)) throw badRequest('该章节下面还有内容，只能放在第一级')
  const moves = (parent_id !== undefined && (parent?.key ?? null) !== node.parent) || sort !== undefined
  const values = { ...(name !== undefined && { name }), ...freeOf(free) }
  return [
    ...(Object.keys(values).length > 0 ? [{ do: 'set' as const, keys: [node.key], values }] : []),
    ...(moves ? [...asChapter(parent), ...moveTo(outline.draft, [node.key], parent?.key ?? null, siblingAt(outline, parent, sort, node.key))] : []),
  ]
}

/** One section as it is answered. */
function shown(outline: OwnedOutline, id: number): LessonSection {
  const found = sectionsOf(outline).find((one) => one.id === id)
  if (!found) throw notFound('章节')
  return found
}

/** The calls of sections, answered. */
export function sectionCalls(): Served[] {
  const kind = OUTLINE_KIND
  return [
    handle(lessonSections, async (call) => {
      const { id } = await findLesson(call.db, call.staff, idParam(call))
      const items = sectionsOf(await readOwned(call.db, kind, id))
      return { items, total: items.length }
    }),
    handle(addSection, (call) => call.transaction(async (tx) => {
      const { id } = await lessonToEdit(tx, call.staff, idParam(call))
      const key = newKey()
      const edited = await editAtOnce(tx, call.staff.id, { kind, id }, `新增章节「${call.input.name}」`, (outline) => addTo(outline, key, call.input))
      return { ...shown(edited, edited.nodeIds.get(key) ?? 0), waits: edited.waits }
    })),
    handle(setSection, (call) => call.transaction(async (tx) => {
      const [{ id }, sectionId] = [await lessonToEdit(tx, call.staff, idParam(call)), idParam(call, 'sectionId')]
      const edited = await editAtOnce(tx, call.staff.id, { kind, id }, '修改章节', (outline) => changeIn(outline, sectionId, call.input))
      return { ...shown(edited, sectionId), waits: edited.waits }
    })),
    handle(dropSection, (call) => call.transaction(async (tx) => {
      const [{ id }, sectionId] = [await lessonToEdit(tx, call.staff, idParam(call)), idParam(call, 'sectionId')]
      const { waits } = await editAtOnce(tx, call.staff.id, { kind, id }, '删除章节', (outline) => [{ do: 'remove', keys: [sectionOf(outline, sectionId).key] }])
      return { waits }
    })),
    handle(openSections, (call) => call.transaction(async (tx: Queryable) => {
      const { id, title } = await findLesson(tx, call.staff, idParam(call))
      return { outline_id: await createOutline(tx, { kind, id }), name: title }
    })),
  ]
}
