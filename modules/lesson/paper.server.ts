import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notGranted } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { ResourceService } from '../../core/resource/serve.server.ts'
import { likeText, listCondition } from '../../core/resource/where.server.ts'
import { blocksByNode, editAtOnce, endOf, inOrder, newBlock, newKey, readOwned, type OwnedOutline } from '../outline/door.server.ts'
import { findPaperFacts, makePaper, paperBody, paperFacts, servePaper, smartBody } from '../paper/door.server.ts'
import { PAPER_STATE, smartPaper } from '../paper/module.ts'
import { bindPaper, copyBefore, paperMatrix, papersToBind, smartIntoHole, unbindPaper, type CellPaper, type PaperMatrix } from './calls.ts'
import { coursePaper } from './course-paper.ts'
import { findLesson, lessonToEdit } from './find.server.ts'
import { OUTLINE_KIND } from './lesson.ts'
import { LOOSE, sectionOf } from './section.server.ts'
import { PAPER_SLOTS } from './slots.ts'

const kind = OUTLINE_KIND
const NAME_LENGTH = 100

interface Lesson { readonly id: number; readonly title: string; readonly subject_id: number }
interface Made { id: number; section_id: number; slot: number; state: number }

/** Papers that were made for sections of a course, and are not put away. */
const madeFor = (db: Queryable, lessonId: number) => db.query<Made & Record<string, unknown>>(sql`select id, section_id, slot, state from paper where kind = 'course' and lesson_id = ${lessonId} and section_id is not null and slot is not null
  and state <> ${PAPER_STATE.archived} and deleted_at is null order by sort, id`)

/** Which papers the sections of a course have: those that learners get, and drafts that were made for a hole. */
async function matrixOf(db: Queryable, lesson: Lesson, outline: OwnedOutline): Promise<PaperMatrix> {
  const blocks = blocksByNode(outline.draft.blocks)
  const order = inOrder(outline.draft.nodes).filter(({ node, gone }) => !gone && node.key !== LOOSE.key)
  const parents = new Set(order.map(({ node }) => node.parent))
  const made = await madeFor(db, lesson.id)
  const bound = order.flatMap(({ node }) => (blocks.get(node.key) ?? []).filter((block) => block.kind === 'paper'))
  const facts = new Map((await paperFacts(db, [...new Set([...bound.map(({ ref_id }) => ref_id), ...made.map(({ id }) => id)])])).map((one) => [one.id, one]))
  const cell = (paperId: number, isBound: boolean): CellPaper[] => {
    const fact = facts.get(paperId)
    if (!fact) return isBound ? [{ paper_id: paperId, name: '已删除的试卷', questions: 0, state: '已被删除', tone: 'bad', bound: true, path: null }] : []
    return [{ paper_id: paperId, name: fact.name, questions: Number.parseInt(fact.note, 10) || 0, state: fact.health.words, tone: isBound || fact.health.tone === 'ok' ? fact.health.tone : 'wait', bound: isBound, path: fact.path }]
  }
  return {
    lesson: { id: lesson.id, name: lesson.title, cat_id: lesson.subject_id },
    sections: order.map(({ node, depth }) => {
      const [nodeId, own] = [outline.nodeIds.get(node.key) ?? 0, (blocks.get(node.key) ?? []).filter((block) => block.kind === 'paper')]
      return {
        id: nodeId, name: node.name, depth, leaf: !parents.has(node.key),
        cells: Object.fromEntries(PAPER_SLOTS.map(({ value }) => {
          const here = own.filter(({ slot }) => (slot ?? 1) === value)
          const drafts = made.filter((one) => one.section_id === nodeId && one.slot === value && !here.some(({ ref_id }) => ref_id === one.id))
          return [String(value), [...here.flatMap(({ ref_id }) => cell(ref_id, true)), ...drafts.flatMap(({ id }) => cell(id, false))]]
        })),
      }
    }),
  }
}

const readMatrix = async (db: Queryable, lesson: Lesson): Promise<PaperMatrix> => matrixOf(db, lesson, await readOwned(db, kind, lesson.id))

interface Place { readonly section_id: number; readonly slot: number; readonly paper_id: number }

/** Puts a paper at a section of a course; once, however often it is asked. */
function bindAt(tx: Queryable, staff: Staff, lessonId: number, { section_id, slot, paper_id }: Place) {
  return editAtOnce(tx, staff.id, { kind, id: lessonId }, '绑定试卷', (outline) => {
    const { key } = sectionOf(outline, section_id)
    if ([...outline.draft.blocks.values()].some((block) => block.node === key && block.kind === 'paper' && block.ref_id === paper_id && block.slot === slot)) return []
    return [{ do: 'bind', blocks: [newBlock({ key: newKey(), node: key, ord: endOf(outline.draft, key, 1)[0] ?? 'a0', kind: 'paper', ref_id: paper_id }, { slot })] }]
  })
}

/** Papers of courses: one that was made for a section comes before its learners when it is shelved. */
export function serveCoursePapers(): ResourceService {
  const own = servePaper(coursePaper)
  const { shelve } = own.rules.effects ?? {}
  return {
    ...own,
    rules: {
      ...own.rules,
      effects: {
        ...own.rules.effects,
        async shelve(change) {
          await shelve?.(change)
          const { id, lesson_id, section_id, slot } = change.row as { id: number; lesson_id?: number | null; section_id?: number | null; slot?: number | null }
          if (!lesson_id || !section_id || !slot) return
          const outline = await readOwned(change.tx, kind, lesson_id)
          // A section that was removed meanwhile takes no papers any more.
          if (inOrder(outline.draft.nodes).some(({ node, gone }) => !gone && outline.nodeIds.get(node.key) === section_id)) await bindAt(change.tx, change.staff, lesson_id, { section_id, slot, paper_id: id })
        },
      },
    },
  }
}

/** @throws AppError when somebody makes papers who may not */
function needPapers({ staff }: Pick<Call, 'staff'>): void {
  if (!staff.modules.has(standardId(coursePaper.grant, 'edit'))) throw notGranted(`${coursePaper.label} · 新增和编辑`)
}

/** What the paper of a hole says of where it belongs. */
const belongs = (lesson: Lesson, { section_id, slot }: Pick<Place, 'section_id' | 'slot'>, name: string) => ({ name: name.slice(0, NAME_LENGTH), subject_id: lesson.subject_id, lesson_id: lesson.id, section_id, slot })

/** School stage of a course's subject. */
async function levelOf(tx: Queryable, { subject_id }: Lesson): Promise<number> {
  const [row] = await tx.query<{ level: number }>(sql`select level from subject where id = ${subject_id}`)
  return row?.level ?? 0
}

/** The section before one that learners go through before it, and the papers that it has in a slot. @throws AppError where there is nothing to copy */
function papersBefore({ sections }: PaperMatrix, { section_id, slot }: Pick<Place, 'section_id' | 'slot'>): { from: string; to: string; papers: readonly CellPaper[] } {
  const leaves = sections.filter(({ leaf }) => leaf)
  const at = leaves.findIndex(({ id }) => id === section_id)
  if (at < 0) throw badRequest('请选择最下一级的章节')
  const [before, here] = [leaves[at - 1], leaves[at]]
  const papers = before?.cells[String(slot)] ?? []
  if (!before || papers.length === 0) throw badRequest(`上一章没有${choiceLabel(PAPER_SLOTS, slot)}，没有可以复制的试卷`)
  return { from: before.name, to: here?.name ?? '', papers }
}

/** The calls of the papers of a course, answered. */
export function matrixCalls(): Served[] {
  return [
    handle(paperMatrix, async (call) => readMatrix(call.db, await findLesson(call.db, call.staff, idParam(call)))),
    handle(bindPaper, (call) => call.transaction(async (tx) => {
      const lesson = await lessonToEdit(tx, call.staff, idParam(call))
      const [paper] = await tx.query<{ subject_id: number }>(sql`select subject_id from paper where id = ${call.input.paper_id} and deleted_at is null`)
      if (paper?.subject_id !== lesson.subject_id) throw invalid({ paper_id: '试卷不存在或不属于课程的学科，请重新选择' })
      const edited = await bindAt(tx, call.staff, lesson.id, call.input)
      return { ...await matrixOf(tx, lesson, edited), waits: edited.waits }
    })),
    handle(unbindPaper, (call) => call.transaction(async (tx) => {
      const lesson = await lessonToEdit(tx, call.staff, idParam(call))
      const { section_id, slot, paper_id } = call.input
      const edited = await editAtOnce(tx, call.staff.id, { kind, id: lesson.id }, '移除试卷', (outline) => {
        const { key } = sectionOf(outline, Number(section_id))
        const keys = [...outline.draft.blocks.values()].filter((block) => block.node === key && block.kind === 'paper' && block.ref_id === Number(paper_id) && (block.slot ?? 1) === Number(slot)).map((block) => block.key)
        return keys.length === 0 ? [] : [{ do: 'unbind', keys }]
      })
      return { ...await matrixOf(tx, lesson, edited), waits: edited.waits }
    })),
    handle(copyBefore, (call) => call.transaction(async (tx) => {
      needPapers(call)
      const lesson = await lessonToEdit(tx, call.staff, idParam(call))
      const { from, to, papers } = papersBefore(await readMatrix(tx, lesson), call.input)
      const level = await levelOf(tx, lesson)
      for (const { paper_id, name } of papers) {
        const title = name.includes(from) ? name.replace(from, to) : `${to} ${name}`
        await makePaper(tx, call.staff.id, coursePaper, { ...belongs(lesson, call.input, title), level }, await paperBody(tx, paper_id))
      }
      return { ...await readMatrix(tx, lesson), copied: papers.length }
    })),
    handle(smartIntoHole, (call) => call.transaction(async (tx) => {
      needPapers(call)
      const lesson = await lessonToEdit(tx, call.staff, idParam(call))
      sectionOf(await readOwned(tx, kind, lesson.id), call.input.section_id)
      const smart = await smartBody(tx, call.staff, call.input.smart_id)
      if (smart.subject_id !== lesson.subject_id) throw invalid({ smart_id: '智能试卷不属于课程的学科，请重新选择' })
      const paper_id = await makePaper(tx, call.staff.id, coursePaper, { ...belongs(lesson, call.input, smart.name), level: await levelOf(tx, lesson), source: 'smart' }, smart.body)
      return { ...await readMatrix(tx, lesson), paper_id }
    })),
    handle(papersToBind, async (call) => {
      const lesson = await findLesson(call.db, call.staff, idParam(call))
      const words = call.input.keyword ?? ''
      const smart = await call.db.query<{ id: number; name: string }>(sql`select id, name from smart_paper where ${listCondition(smartPaper, call.staff, {})} and subject_id = ${lesson.subject_id} and jsonb_typeof(result) = 'array'
        and name ilike ${`%${likeText(words)}%`} order by id desc limit 50`)
      return { items: (await findPaperFacts(call.db, call.staff, words, lesson.subject_id)).map(({ id, name, note }) => ({ id, name, note })), smart }
    }),
  ]
}
