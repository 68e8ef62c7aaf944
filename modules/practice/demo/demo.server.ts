import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { seasonalMoment, seededRandom, type Random } from '../../../core/setup/random.ts'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { EXAM_REGIONS, examYears } from '../../reference/module.ts'
import { COMPETENCES } from './competence.ts'
import { insertNodes } from '../../../core/tree/change.server.ts'
import { pathBelow } from '../../../core/resource/tree-path.ts'
import { knowledgeLabel, microLabel, practiceLabel } from '../label/label.ts'
import { levelOfSubject } from '../bank/number.ts'
import { insertPractices, readWritten, type NewPractice } from '../bank/write.server.ts'
import { likeness } from '../content/fingerprint.ts'
import { inlineDoc, paragraph } from '../../../core/rich-text/rich-doc.ts'
import { STATUS } from '../bank/practice.ts'
import { chapter, materialVersion, partwork } from '../textbook/textbook.ts'
import type { Made } from './build.ts'
import { insertAnswerDemo } from './answers.server.ts'
import { SET_LINES } from '../selected/calls.ts'
import { insertReportDemo } from './reports.server.ts'
import { addScanDemo } from './scans.server.ts'
import { ENGLISH } from './english.ts'
import { FACTS } from './facts.ts'
import { JUNIOR_MATHS, PRIMARY_MATHS, SENIOR_MATHS, type Template } from './maths.ts'
import { ASPECTS, BOOKS, GROUP_LABELS, OUTLINE, VERSIONS } from './outline.ts'
import { JUNIOR_CHEMISTRY, JUNIOR_PHYSICS, SENIOR_CHEMISTRY, SENIOR_PHYSICS } from './science.ts'

const DAY = 86_400
/** Questions by subject; the templates of mathematics and physics know the most. */
const WANTED: Readonly<Record<number, number>> = { 1: 520, 101: 420, 201: 260, 3: 220, 103: 200, 4: 150, 104: 120, 2: 130, 102: 120, 202: 60, 5: 120, 105: 90, 6: 120, 106: 80, 7: 130, 107: 90, 207: 60, 8: 110, 108: 70, 10: 90 }

function templatesOf(subjectId: number): readonly Template[] {
  const own: Readonly<Record<number, readonly Template[]>> = {
    1: SENIOR_MATHS, 101: JUNIOR_MATHS, 201: PRIMARY_MATHS, 3: SENIOR_PHYSICS, 103: JUNIOR_PHYSICS, 4: SENIOR_CHEMISTRY, 104: JUNIOR_CHEMISTRY, 2: ENGLISH, 102: ENGLISH, 202: ENGLISH.slice(0, 2),
  }
  return own[subjectId] ?? FACTS[subjectId % 100] ?? []
}

interface Leaf {
  id: number
  topic: string
  subtopic: string
}

/** Topics of a subject with their subtopics, from the outline. */
const topicsOf = (subjectId: number) => (OUTLINE[subjectId] ?? '').split('\n').filter(Boolean).map((line) => {
  const [topic = '', rest = ''] = line.split(':')
  return { topic, subtopics: rest.split(',') }
})

/** Twelve thousand labels: topics, subtopics, what is asked about them, and for mathematics two steps of it. */
async function insertLabels(db: Database): Promise<Map<number, { subtopics: Leaf[]; aspects: Leaf[]; groups: number[] }>> {
  const found = new Map<number, { subtopics: Leaf[]; aspects: Leaf[]; groups: number[] }>()
  await seedTransaction(db, async (tx) => {
    const roots = await tx.query<{ id: number; subject_id: number }>(sql`select id, subject_id from label where kind = 'knowledge' and parent_id is null`)
    const practiceGroups = await tx.query<{ id: number; subject_id: number; name: string }>(sql`select id, subject_id, name from label where kind = 'practice' and parent_id is null`)
    const below = async (parents: readonly { id: number; subject_id: number; path: string; topic: string; subtopic: string }[], depth: number, names: (parent: (typeof parents)[number]) => readonly string[]) => {
      const rows = parents.flatMap((parent) => names(parent).map((name, index) => ({ parent, name, index })))
      const ids = await insertNodes(tx, knowledgeLabel, rows.map(({ parent, name, index }) => ({
        kind: 'knowledge' as const, subject_id: parent.subject_id, parent_id: parent.id, name, status: 1,
        code: null, importance: (((parent.id + index) % 4) + 1) as 1 | 2 | 3 | 4, exam_freq: (((parent.id * 7 + index) % 3) + 1) as 1 | 2 | 3,
      })))
      return rows.map(({ parent, name }, index) => ({ id: ids[index] ?? 0, subject_id: parent.subject_id, path: pathBelow(parent), topic: depth === 1 ? name : parent.topic, subtopic: depth === 2 ? name : parent.subtopic, name }))
    }
    const tops = await below(roots.map((root) => ({ ...root, path: '/', topic: '', subtopic: '' })), 1, (root) => topicsOf(root.subject_id).map(({ topic }) => topic))
    const subtopics = await below(tops, 2, (top) => topicsOf(top.subject_id).find(({ topic }) => topic === top.topic)?.subtopics ?? [])
    const aspects = await below(subtopics, 3, (sub) => ASPECTS[sub.subject_id % 100] ?? [])
    await below(aspects.filter(({ subject_id }) => subject_id === 1 || subject_id === 101), 4, () => ['基础', '提高'])
    const labels = practiceGroups.flatMap((group) => (GROUP_LABELS[group.name] ?? []).map((name, index) => ({ kind: 'practice' as const, subject_id: group.subject_id, parent_id: group.id, name, status: 1, colour: (['blue', 'green', 'orange', 'red', 'purple'] as const)[index % 5] ?? 'blue' })))
    const groupIds = await insertNodes(tx, practiceLabel, labels)
    // Micro lessons are filed by topic, in a tree of their own.
    const microTops = await insertNodes(tx, microLabel, [1, 101, 3, 103].flatMap((subject_id) => topicsOf(subject_id).map(({ topic }) => ({ kind: 'micro' as const, subject_id, name: topic, status: 1 }))))
    const microRows = [1, 101, 3, 103].flatMap((subject_id) => topicsOf(subject_id).map((topic) => ({ subject_id, ...topic })))
    await insertNodes(tx, microLabel, microRows.flatMap(({ subject_id, subtopics: names }, place) => names.map((name) => ({ kind: 'micro' as const, subject_id, parent_id: microTops[place] ?? 0, name, status: 1 }))))
    for (const root of roots) {
      found.set(root.subject_id, {
        subtopics: subtopics.filter(({ subject_id }) => subject_id === root.subject_id), aspects: aspects.filter(({ subject_id }) => subject_id === root.subject_id),
        groups: groupIds.filter((_id, index) => labels[index]?.subject_id === root.subject_id),
      })
    }
  })
  return found
}

/** Textbooks: every version has its books, and the books of the first two their chapters, which are the topics spread over them. */
async function insertTextbooks(db: Database, labels: Map<number, { subtopics: Leaf[] }>): Promise<Map<string, number[]>> {
  const chaptersOf = new Map<string, number[]>()
  await seedTransaction(db, async (tx) => {
    const subjects = [...labels.keys()].filter((id) => VERSIONS[id % 100])
    const versions = subjects.flatMap((subject_id) => (VERSIONS[subject_id % 100] ?? []).map((name, index) => ({ subject_id, name, sort: (index + 1) * 10, status: 1, index })))
    const versionIds = await insertMany(tx, materialVersion, versions.map(({ index: _index, ...version }) => version))
    const books = versions.flatMap((version, place) => (BOOKS[levelOfSubject(version.subject_id)] ?? []).map(([name, grade, term], index, list) => ({ version, place, name, grade, term, index, of: list.length })))
    const bookIds = await insertMany(tx, partwork, books.map(({ version, place, name, grade, term, index }) => ({
      version_id: versionIds[place] ?? 0, subject_id: version.subject_id, name, grade, term: term as 1 | 2 | 3, edition_year: 2019 + (place % 5), sort: (index + 1) * 10, status: 1,
    })))
    const heads = books.flatMap(({ version, index, of }, place) => {
      if (version.index > 1) return []
      const topics = topicsOf(version.subject_id)
      const share = Math.ceil(topics.length / of)
      return topics.slice(index * share, (index + 1) * share).map((topic, nth) => ({ ...topic, subject_id: version.subject_id, partwork_id: bookIds[place] ?? 0, nth }))
    })
    const headIds = await insertNodes(tx, chapter, heads.map(({ topic, subject_id, partwork_id, nth }) => ({ partwork_id, subject_id, name: `第${'一二三四五六七八九十'[nth] ?? nth + 1}章 ${topic}` })))
    const sections = heads.flatMap((head, place) => head.subtopics.map((name, index) => ({ head, place, name, index })))
    const sectionIds = await insertNodes(tx, chapter, sections.map(({ head, place, name, index }) => ({
      partwork_id: head.partwork_id, subject_id: head.subject_id, parent_id: headIds[place] ?? 0, name: `${head.nth + 1}.${index + 1} ${name}`,
    })))
    const links = sections.flatMap(({ head, name }, place) => {
      const label = labels.get(head.subject_id)?.subtopics.find((leaf) => leaf.topic === head.topic && leaf.subtopic === name)
      const key = `${head.subject_id} ${head.topic} ${name}`
      chaptersOf.set(key, [...(chaptersOf.get(key) ?? []), sectionIds[place] ?? 0])
      // One in nine is left for somebody to map.
      return label && place % 9 !== 0 ? [{ l: label.id, c: sectionIds[place] }] : []
    })
    await tx.query(sql`insert into label_chapter (label_id, chapter_id) select l, c from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as r (l bigint, c bigint) on conflict do nothing`)
  })
  return chaptersOf
}

/** Different questions of a subject, as many as are wanted or as its templates can make. */
function make(random: Random, subjectId: number, wanted: number): Made[] {
  const templates = templatesOf(subjectId)
  const found = new Map<string, Made>()
  for (let tries = 0; found.size < wanted && tries < wanted * 8 && templates.length > 0; tries++) {
    const { content, ...rest } = random.pick(templates)(random)
    if (content) found.set(JSON.stringify([content.stem, content.type > 4 ? content.children.map((child) => child.stem) : 0]), { ...rest, content })
  }
  return [...found.values()]
}

/** Official questions that are being revised, and drafts that say nearly what an official question says: for somebody to compare. */
async function insertPairs(tx: Queryable, random: Random): Promise<void> {
  const chosen = await tx.query<{ id: number; level: number; owner_id: number }>(sql`select id, level, owner_id from practice where pool = 'official' and status = ${STATUS.published} and type <= 4 and length(search_text) > 40 order by id % 97, id limit 20`)
  const rows: { official: number; kind: 'revision' | 'dup'; row: NewPractice }[] = []
  for (const [index, { id, level, owner_id }] of chosen.entries()) {
    const written = await readWritten(tx, id)
    if (!written) continue
    const kind = index % 2 === 0 ? 'revision' as const : 'dup' as const
    const { content, facts } = written
    const changed = kind === 'revision'
      ? { ...content, analysis: { ...content.analysis, comment: inlineDoc(['本题考查基础知识，解答时注意审题。']) } }
      : { ...content, stem: content.stem && { ...content.stem, c: [...content.stem.c, paragraph(['（本题改编自教材习题）'])] } }
    rows.push({ official: id, kind, row: { ...written, content: changed, facts: { ...facts, difficulty: random.int(1, 5) }, pool: 'back', level, status: STATUS.draft, owner_id, ...(kind === 'revision' && { origin_id: id }) } })
  }
  const ids = await insertPractices(tx, null, rows.map(({ row }) => row))
  const pairs = rows.map(({ official, kind, row }, index) => ({ l: kind === 'revision' ? ids[index] : official, r: kind === 'revision' ? official : ids[index], k: kind, o: official, row }))
  for (const { l, r, k, o, row } of pairs) {
    const other = k === 'dup' ? await readWritten(tx, o) : undefined
    await tx.query(sql`insert into practice_compare (left_id, right_id, kind, score) values (${l}, ${r}, ${k}, ${other ? Math.round(likeness(row.content, other.content).score * 1000) / 1000 : null})`)
  }
  await tx.query(sql`update practice set status = ${STATUS.revising} where id = any(${sql.param(rows.filter(({ kind }) => kind === 'revision').map(({ official }) => official))}::bigint[])`)
}

/** 举一反三 of some official questions, and sets that were chosen for the sections of textbooks. */
async function insertChosen(tx: Queryable): Promise<void> {
  await tx.query(sql`insert into practice_similar (practice_id, other_id, kind, ord)
    select x.practice_id, x.other_id, 'one2three', x.place from (
      select a.practice_id, b.practice_id as other_id, row_number() over (partition by a.practice_id order by b.practice_id) as place
      from practice_label a join practice_label b on b.label_id = a.label_id and b.main and b.practice_id <> a.practice_id
      join practice p on p.id = a.practice_id join practice q on q.id = b.practice_id
      where a.main and a.practice_id % 5 = 0 and p.pool = 'official' and q.pool = 'official') x where x.place <= 3 on conflict do nothing`)
  await tx.query(sql`insert into selected_set (scope, ref_id, group_key, target_n, version_no)
    select 'chapter', c.id, g, 5, 1 from chapter c cross join generate_series(1, 3) g where c.id % 4 = 0 and exists (select 1 from practice_chapter pc join practice p on p.id = pc.practice_id where pc.chapter_id = c.id and p.pool = 'official')`)
  await tx.query(sql`insert into selected_item (set_id, practice_id, ord, version_no)
    select y.set_id, y.practice_id, y.place, y.version_no from (
      select s.id as set_id, p.id as practice_id, p.version_no, row_number() over (partition by s.id order by p.difficulty desc, p.id) as place
      from selected_set s join practice_chapter pc on s.scope = 'chapter' and pc.chapter_id = s.ref_id join practice p on p.id = pc.practice_id
      where p.pool = 'official' and p.id % 3 + 1 = s.group_key) y where y.place <= 5`)
  // A line whose lessons are chosen sets has its own; some chapters lack questions, some have no set yet.
  for (const line of SET_LINES.keys()) {
    await tx.query(sql`insert into selected_set (scope, ref_id, product_line, group_key, target_n, version_no)
      select 'chapter', c.id, ${line}, g, 2 + g % 3, 1 from chapter c cross join generate_series(1, 3) g
      where c.subject_id between 101 and 199 and (c.id + g) % 4 <> 0 and exists (select 1 from practice_chapter pc join practice p on p.id = pc.practice_id where pc.chapter_id = c.id and p.pool = 'official')`)
    await tx.query(sql`insert into selected_item (set_id, practice_id, ord, version_no)
      select y.set_id, y.practice_id, y.place, y.version_no from (
        select s.id as set_id, s.target_n, p.id as practice_id, p.version_no, row_number() over (partition by s.id order by p.difficulty desc, p.id) as place
        from selected_set s join practice_chapter pc on pc.chapter_id = s.ref_id join practice p on p.id = pc.practice_id
        where s.scope = 'chapter' and s.product_line = ${line} and p.pool = 'official' and p.id % 3 + 1 = s.group_key) y where y.place <= y.target_n`)
  }
  // For the strongest, by topic: the harder questions of it.
  await tx.query(sql`insert into selected_set (scope, ref_id, group_key, target_n, version_no)
    select 'label', l.id, 4, 8, 1 from label l where l.kind = 'knowledge' and l.depth = 2 and l.id % 3 = 0 and exists (select 1 from practice_label_tree t join practice p on p.id = t.practice_id where t.label_id = l.id and t.pool = 'official' and p.difficulty <= 2)`)
  await tx.query(sql`insert into selected_item (set_id, practice_id, ord, version_no)
    select y.set_id, y.practice_id, y.place, y.version_no from (
      select s.id as set_id, p.id as practice_id, p.version_no, row_number() over (partition by s.id order by p.difficulty desc, p.id) as place
      from selected_set s join practice_label_tree t on t.label_id = s.ref_id and t.pool = 'official' join practice p on p.id = t.practice_id
      where s.scope = 'label' and p.difficulty <= 2) y where y.place <= 8`)
}

/** Three thousand questions in both banks. */
export async function insertPracticeDemo(db: Database, _report: unknown, files: FileStore): Promise<void> {
  const random = seededRandom(20_261_122)
  const now = Math.floor(Date.now() / 1000)
  const labels = await insertLabels(db)
  const chapters = await insertTextbooks(db, labels)
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 and deleted_at is null order by id`)).map(({ id }) => id)
  const categories = await db.query<{ id: number; subject_id: number; name: string; type: number }>(sql`select id, subject_id, name, type from practice_category order by sort, id`)
  const rows: NewPractice[] = []
  for (const [subject, wanted] of Object.entries(WANTED)) {
    const subject_id = Number(subject)
    const own = labels.get(subject_id)
    for (const made of make(random, subject_id, wanted)) {
      const sub = own?.subtopics.find((leaf) => leaf.topic === made.topic && leaf.subtopic === made.subtopic)
      const aspect = random.pick(own?.aspects.filter((leaf) => leaf.topic === made.topic && leaf.subtopic === made.subtopic) ?? [undefined])
      const level = levelOfSubject(subject_id)
      const gaokao = level === 0 && random.chance(0.3)
      const status = random.weighted([[STATUS.published, 55], [STATUS.draft, 14], [STATUS.first, 12], [STATUS.second, 6], [STATUS.final, 4], [STATUS.rejected, 5], [STATUS.off, 2], [STATUS.void, 2]])
      const official = status === STATUS.published || status === STATUS.off
      const created_at = seasonalMoment(random, now - 700 * DAY, now - DAY)
      const owner = random.pick(staff)
      const checkers = staff.filter((id) => id !== owner)
      const unlabelled = !official && status !== STATUS.first && random.chance(0.06)
      const region = gaokao ? random.pick(EXAM_REGIONS) : undefined
      rows.push({
        pool: official ? 'official' : 'back', level, status, owner_id: owner, created_at, content: made.content,
        ...(official && { published_at: Math.min(now, created_at + random.int(1, 30) * DAY), use_count: random.int(0, 60), verifier1_id: random.pick(checkers), verifier2_id: random.pick(checkers) }),
        facts: {
          subject_id, category_id: categories.find((category) => category.subject_id === subject_id && category.type === made.content.type)?.id ?? null, difficulty: made.difficulty, coef: null,
          source: gaokao ? 'college_entrance_exam_paper' : random.weighted([['dou_practice', 40], ['dou_practice_v2', 20], ['practice_book', 30], ['senior_must_paper', level === 0 ? 10 : 0]]),
          source_paper: region ? `${created_at % 2 ? 2024 : 2023} 年高考${region.name}` : null, source_order: region ? random.int(1, 22) : null, source_years: gaokao ? [random.int(2016, 2025)] : random.chance(0.3) ? [random.int(2019, 2025)] : [],
          exam_region_id: region?.id ?? null, exam_year: level === 0 ? random.pick(examYears()) : null, gaokao_type: gaokao ? random.int(1, 2) : null, exercise_type: random.weighted([[1, 20], [2, 50], [3, 30]]),
          est_seconds: made.content.type === 4 || made.content.type > 4 ? random.int(8, 15) * 60 : random.int(2, 6) * 30, cognitive: random.pick(['识记', '理解', '应用', '分析']), competence: [COMPETENCES[subject_id % 100] ?? '综合思维'], tags: [],
          copyright: gaokao ? '公版' : '原创', products: [random.int(1, 8)], video: null, scans: [],
        },
        labels: [
          ...(unlabelled || !sub ? [] : aspect ? [{ id: aspect.id, main: true }, ...(random.chance(0.3) ? [{ id: sub.id, main: false }] : [])] : [{ id: sub.id, main: true }]),
          ...(own && own.groups.length > 0 && random.chance(0.7) ? [{ id: random.pick(own.groups), main: false }] : []),
        ],
        chapter_ids: chapters.get(`${subject_id} ${made.topic} ${made.subtopic}`) ?? [],
      })
    }
  }
  rows.sort((a, b) => (a.created_at ?? 0) - (b.created_at ?? 0))
  await addScanDemo(db, files, rows)
  for (let start = 0; start < rows.length; start += 500) await seedTransaction(db, (tx) => insertPractices(tx, null, rows.slice(start, start + 500)))
  // What waits for checking came within the last days.
  await seedTransaction(db, (tx) => tx.query(sql`update practice set updated_at = greatest(created_at, now() - (id % 6) * interval '17 hours') where status in (${STATUS.first}, ${STATUS.second}, ${STATUS.final}, ${STATUS.rejected})`))
  await seedTransaction(db, (tx) => insertPairs(tx, random))
  await insertAnswerDemo(db, random)
  await seedTransaction(db, insertChosen)
  await seedTransaction(db, (tx) => insertReportDemo(tx, random, now))
}
