import { sql } from 'drizzle-orm'
import type { Database } from '../core/database/database.server.ts'
import { fileUrl } from '../core/file/url.ts'
import { seededRandom } from '../core/setup/random.ts'
import { STATUS } from '../modules/practice/bank/practice.ts'
import { insertPractices, type NewPractice } from '../modules/practice/bank/write.server.ts'
import { BANDS, fingerprintOf } from '../modules/practice/content/fingerprint.ts'
import { emptyContent } from '../modules/practice/content/question.ts'
import { inlineDoc, type Inline } from '../core/rich-text/rich-doc.ts'
import { startWritten } from '../modules/practice/edit/written.ts'
import { inBulk } from './business.ts'

/** domain 5.1, 1×; BENCH_QUESTIONS makes it smaller. */
export const QUESTIONS = Number(process.env['BENCH_QUESTIONS'] ?? 580_000)
/** Written through the product, so that they have likenesses of their own to be found by. */
export const REAL = 2000

const WORDS = '函数数列向量集合概率统计导数不等式椭圆抛物线双曲线直线平面立体几何三角形方程整数分数比例速度加速度电场磁场动量能量溶液浓度反应平衡细胞遗传光合作用呼吸地形气候河流城市文章作者修辞比喻'
  .match(/.{2,3}/g) ?? []

/** A sentence of so many words that looks like one of a question. */
function sentence(random: ReturnType<typeof seededRandom>, words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS) + (random.chance(0.3) ? random.pick(['的', '与', '在', '是', '，']) : '')).join('')
}

const random = seededRandom(580)

const PICTURE = '00000000-0000-4000-8000-'
/** Hashes of pictures by the ids of their files. Each of their parts thirty others are found by: as many as have one in common by chance. */
const PICTURES = new Map(Array.from({ length: 1000 }, (_, n) => [PICTURE + String(n).padStart(12, '0'), Array.from({ length: 16 }, () => random.int(0, 15).toString(16)).join('')]))
const picture = (): Inline => ({ t: 'img', asset: fileUrl(random.pick([...PICTURES.keys()])) })
/** Some have a picture and few words. */
const PICTURED = 18

/** A question of mathematics as a person would write it; the same number gives another each time it is called. */
export function realQuestion(): NewPractice {
  const start = startWritten(1)
  const few = random.chance(1 / PICTURED)
  const text = sentence(random, 14)
  return {
    ...start, pool: 'back', level: 0, owner_id: 1, status: STATUS.draft,
    content: {
      ...start.content, stem: inlineDoc(few ? [`看图，${sentence(random, 2)}是`, picture()] : [`已知${text}，若 `, { t: 'tex', tex: `x^{2}+${random.int(1, 99)}x=${random.int(1, 999)}` }, ' ，则下列说法正确的是']),
      options: ['o1', 'o2', 'o3', 'o4'].map((id) => ({ id, doc: inlineDoc([few ? id : sentence(random, 4)]) })), answer: { k: 'one', ok: 'o1' }, analysis: { ...start.content.analysis, solution: inlineDoc([sentence(random, 60)]) },
    },
    facts: { ...start.facts, difficulty: random.int(1, 5) },
  }
}

/** Questions of two kilobytes in both banks, with twelve thousand labels and some three and a half of them each. */
export async function loadQuestions(db: Database): Promise<void> {
  await db.query(sql`insert into picture_hash (file_id, hash) select key::uuid, value from jsonb_each_text(${JSON.stringify(Object.fromEntries(PICTURES))}::jsonb)`)
  const made = Array.from({ length: REAL }, realQuestion)
  for (let at = 0; at < made.length; at += 500) await db.transaction({ staff_id: null, silent: true }, (tx) => insertPractices(tx, null, made.slice(at, at + 500)))
  const paragraphs = Array.from({ length: 4096 }, (_, index) => [index, sentence(random, 90), sentence(random, 9), sentence(random, 4)])
  await db.query(sql`create unlogged table bench_text (id int primary key, long text, stem text, option text)`)
  await db.query(sql`insert into bench_text select (r->>0)::int, r->>1, r->>2, r->>3 from jsonb_array_elements(${JSON.stringify(paragraphs)}::jsonb) r`)
  // Twenty topics of five parts of four aspects below the root of each subject: five hundred and twenty, times 23 subjects.
  for (const [depth, n] of [[1, 20], [2, 5], [3, 4]] as const) {
    await db.script(`alter table label disable trigger user; insert into label (kind, subject_id, parent_id, name, path, depth, ord, status)
      select 'knowledge', l.subject_id, l.id, '知识' || l.id || '·' || i, l.path || l.id || '/', ${depth}, 'a' || chr(64 + i), 1 from label l cross join generate_series(1, ${n}) i where l.kind = 'knowledge' and l.depth = ${depth - 1};
      alter table label enable trigger user;`)
  }
  await db.script(`create unlogged table bench_subject as select id, level, row_number() over (order by id) - 1 as place, count(*) over () as n from subject;
    create unlogged table bench_leaf as select id, subject_id, row_number() over (partition by subject_id order by id) - 1 as place, count(*) over (partition by subject_id) as n from label where kind = 'knowledge' and depth = 3;
    create index on bench_leaf (subject_id, place);`)
  await inBulk(db, 'practice', `insert into practice (id, no, pool, level, subject_id, type, difficulty, option_layout, source, source_years, exam_region_id, score, has_image, has_formula, has_video, has_analysis, auto_gradable, status, urgent, owner_id,
      quality, content_hash, version_no, use_count, search_text, created_at, updated_at)
    select 10000 + i, 'M' || s.level + 1 || '-' || lpad((10000 + i)::text, 7, '0'), case when i % 3 = 0 then 'back' else 'official' end, s.level, s.id, 1 + i % 4, 1 + (i * 7) % 5, 1, (array['dou_practice', 'practice_book', 'college_entrance_exam_paper'])[1 + i % 3],
      array[2010 + i % 16]::bigint[], case when i % 4 = 0 then 1 + i % 37 end, 5, case when i % 6 = 0 then 1 else 0 end, 1, 0, case when i % 9 = 0 then 0 else 1 end, 1, case when i % 3 = 0 then (array[0, 0, 1, 2, 3, 5])[1 + i % 6] else 4 end, 0, 1 + i % 40,
      50 + i % 50, md5(i::text), 1, i % 60, a.stem || b.stem || ' ' || a.option || ' ' || b.option || ' ' || i, now() - make_interval(secs => (${QUESTIONS} - i) * 60), now() - make_interval(secs => (${QUESTIONS} - i) * 50)
    from generate_series(1, ${QUESTIONS}) i
    join bench_subject s on s.place = case when i % 10 < 3 then 0 else (i::bigint * 7919) % s.n end
    join bench_text a on a.id = (i::bigint * 48271) % 4096 join bench_text b on b.id = (i::bigint * 69621) % 4093;`)
  await inBulk(db, 'practice_body', `insert into practice_body (practice_id, content) select 10000 + i, jsonb_build_object('type', 1 + i % 4, 'stem', jsonb_build_object('t', 'doc', 'v', 1, 'c', jsonb_build_array(jsonb_build_object('t', 'p', 'c', case when few then jsonb_build_array('看图，' || left(a.option, 6), jsonb_build_object('t', 'img', 'asset', '${fileUrl(PICTURE)}' || lpad((10000 + i)::text, 12, '0')))
        else jsonb_build_array(a.stem || b.stem, jsonb_build_object('t', 'tex', 'tex', 'x^{2}+' || i)) end))),
      'options', (select jsonb_agg(jsonb_build_object('id', 'o' || k, 'doc', jsonb_build_object('t', 'doc', 'v', 1, 'c', jsonb_build_array(jsonb_build_object('t', 'p', 'c', jsonb_build_array(case when few then '' else b.option end || k)))))) from generate_series(1, 4) k), 'option_layout', 1, 'answer', jsonb_build_object('k', 'one', 'ok', 'o1'),
      'analysis', jsonb_build_object('hint', null, 'comment', null, 'pitfall', null, 'solution', jsonb_build_object('t', 'doc', 'v', 1, 'c', jsonb_build_array(jsonb_build_object('t', 'p', 'c', jsonb_build_array(b.long))))), 'score', 5, 'category', null, 'children', jsonb_build_array())
    from generate_series(1, ${QUESTIONS}) i cross join lateral (select (10000 + i) % ${PICTURED} = 0 as few) f join bench_text a on a.id = (i::bigint * 48271) % 4096 join bench_text b on b.id = (i::bigint * 69621) % 4093;`)
  await inBulk(db, 'practice_label', `insert into practice_label (practice_id, label_id, main) select p.id, l.id, k = 0 from practice p cross join generate_series(0, 3) k join bench_leaf l on l.subject_id = p.subject_id and l.place = (p.id * 31 + k * 17) % l.n
    where p.id > 10000 and (k < 3 or p.id % 5 < 3) on conflict do nothing;`)
  await inBulk(db, 'practice_label_tree', `insert into practice_label_tree (label_id, pool, practice_id) select distinct above.id, p.pool, p.id from practice p join practice_label pl on pl.practice_id = p.id join label l on l.id = pl.label_id
    cross join lateral (select l.id union all select u.id::bigint from unnest(string_to_array(trim(both '/' from l.path), '/')) u(id) where u.id <> '') above where p.id > 10000;`)
  await inBulk(db, 'practice_band', `insert into practice_band (key, practice_id) select ((p.id / 3) * 8 + k)::bigint * 2654435761 % 2147483647, p.id from practice p cross join generate_series(0, 7) k where p.id > 10000 on conflict do nothing;`)
  await db.query(sql`insert into picture_hash (file_id, hash) select (${PICTURE} || lpad(id::text, 12, '0'))::uuid, left(md5(id::text), 16) from practice where id > 10000 and id % ${sql.raw(String(PICTURED))} = 0`)
  const parts = [...PICTURES.keys()].flatMap((id, n) => fingerprintOf({ ...emptyContent(1), stem: inlineDoc([{ t: 'img', asset: fileUrl(id) }]) }, PICTURES).bands.slice(BANDS).map((key, part) => ({ n, part, key })))
  await db.query(sql`insert into practice_band (key, practice_id) select r.key, p.id from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as r (n int, part int, key int) join practice p on (p.id / ${sql.raw(String(PICTURED))} * (2 * r.part + 7919)) % 1000 = r.n where p.id > 10000 and p.id % ${sql.raw(String(PICTURED))} = 0 on conflict do nothing`)
  await db.script(`select setval(pg_get_serial_sequence('practice', 'id'), (select max(id) from practice)); drop table bench_text, bench_subject, bench_leaf;`)
}
