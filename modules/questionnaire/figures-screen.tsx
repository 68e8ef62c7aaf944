import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Empty, Pagination, Segmented, Select, Skeleton, Space, Table } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { fillPath } from '../../core/endpoint/define.ts'
import { StateWord } from '../../core/field/choice.tsx'
import { briefTime } from '../../core/field/time.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { branches } from '../../core/public-page/survey.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { excludeAnswer, exportAnswers, FEW, questionnaireAnswers, questionnaireCross, questionnaireFigures, type AnswerRow, type QuestionFigures } from './calls.ts'
import { TYPE_NAMES } from './designer.ts'
import { strength } from './figures.ts'
import { questionnaire, QUESTIONNAIRE_PATH, QUESTIONNAIRE_STATES } from './questionnaire.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

type Row = WireRow<typeof questionnaire>

const share = (count: number, base: number) => (base === 0 ? '—' : `${((count / base) * 100).toFixed(1)}%`)

/** Options with how many of those who saw the question chose them; in an order, what stands first has the longest bar. */
function Bars({ figures: { options, base, places, type } }: { figures: QuestionFigures }) {
  const most = Math.max(1, ...options.map(({ count }) => count))
  const length = (id: string, count: number) => (type === 'rank' ? (count === 0 ? 0 : (options.length + 1 - (places[id] ?? options.length)) / options.length) : count / most)
  return (
    <table className="qn-bars qn-chart"><tbody>{options.map(({ id, label, count }) => (
      <tr key={id}><td>{label}</td><td aria-label={`${label} 的条形`}><i style={{ width: `${length(id, count) * 100}%` }} /></td><td>{count} 人 {type === 'rank' ? `均位 ${places[id]?.toFixed(1) ?? '—'}` : share(count, base)}</td></tr>
    ))}</tbody></table>
  )
}

/** Marks as columns. */
function Columns({ figures: { options, title } }: { figures: QuestionFigures }) {
  return <div className="qn-chart"><Suspense fallback={<Skeleton active />}><Chart height={180} label={`${title}：${options.map(({ label, count }) => `${label} ${count} 人`).join('，')}`} option={{ grid: { left: 40, right: 8, top: 16, bottom: 28 }, tooltip: { trigger: 'axis' }, xAxis: { type: 'category', data: options.map(({ label }) => label) }, yAxis: { type: 'value', minInterval: 1 }, series: [{ type: 'bar', name: '人数', data: options.map(({ count }) => count), barMaxWidth: 36, itemStyle: { color: '#0170d9' } }] }} /></Suspense></div>
}

const NPS_COLORS = ['var(--good-dot)', 'var(--over-dot)', 'var(--bad-dot)']

function Question({ figures, number }: { figures: QuestionFigures; number: number }) {
  const { type, title, base, answered, mean, nps, rows, options, texts } = figures
  const few = base < FEW
  const [all, setAll] = useState(false)
  return (
    <section className="qn-block" data-few={few} aria-label={title}>
      <h3>{number}. {title} <span className="note">{TYPE_NAMES[type]} · {base} 人看到，{answered} 人回答{type === 'multi' && '，百分比按人数，合计可超过 100%'}{few && `，不足 ${FEW} 人，仅供参考`}</span></h3>
      {nps && (
        <>
          <p>NPS <b>{nps.score}</b>　推荐者 {nps.promoters}，中立 {nps.passives}，贬损者 {nps.detractors}</p>
          <div className="qn-split qn-chart" aria-hidden>{[nps.promoters, nps.passives, nps.detractors].map((n, at) => <i key={at} style={{ flex: n, background: NPS_COLORS[at] }} />)}</div>
        </>
      )}
      {mean !== null && type === 'rate' && <p>平均 <b>{mean.toFixed(2)}</b> 分</p>}
      {type === 'rate' || type === 'nps' ? <Columns figures={figures} /> : type === 'matrix' ? (
        <div className="qn-wide"><table className="qn-cross qn-chart"><thead><tr><td aria-label="项目" />{options.map(({ id, label }) => <th key={id} scope="col">{label}</th>)}</tr></thead><tbody>{rows.map((row) => <tr key={row.id}><th scope="row">{row.label}</th>{options.map(({ id }) => <td key={id} style={{ background: `color-mix(in srgb, var(--accent) ${row.base === 0 ? 0 : Math.round(((row.counts[id] ?? 0) / row.base) * 40)}%, transparent)` }}>{row.counts[id] ?? 0} · {share(row.counts[id] ?? 0, row.base)}</td>)}</tr>)}</tbody></table></div>
      ) : texts.length > 0 || type === 'words' || type === 'fill' ? (
        texts.length === 0 ? <p className="note">还没有人填写</p> : <><ul className="reasons">{texts.slice(0, all ? undefined : 8).map((one) => <li key={one.answer_id}>{one.words}</li>)}</ul>{texts.length > 8 && <Button type="link" size="small" onClick={() => setAll(!all)}>{all ? '收起' : `展开 ${texts.length} 条`}</Button>}</>
      ) : options.length === 0 ? <p className="note">还没有人填写</p> : <Bars figures={figures} />}
    </section>
  )
}

/** Two questions against each other. */
function Cross({ row, careless }: { row: Row; careless: boolean }) {
  const items = (row.questions ?? []).filter(branches)
  const [pair, setPair] = useState<{ row?: string | undefined; col?: string | undefined }>({ row: items[0]?.id, col: items[1]?.id })
  const ready = pair.row !== undefined && pair.col !== undefined && pair.row !== pair.col
  const { data, error } = useQuery({ queryKey: ['questionnaire-cross', row.id, pair, careless], enabled: ready, queryFn: ({ signal }) => call(questionnaireCross, { row: pair.row ?? '', col: pair.col ?? '', ...(careless && { careless: '1' as const }) }, { params: { id: row.id }, signal, quiet: true }) })
  const options = items.map(({ id, title }) => ({ value: id, label: title }))
  if (items.length < 2) return <Empty description="至少要有两道单选、多选、评分或 NPS 题" />
  return (
    <>
      <Space wrap className="form-alert">行 <Select aria-label="行" value={pair.row ?? null} options={options} onChange={(next) => setPair({ ...pair, row: next ?? undefined })} style={{ minWidth: 220 }} />列 <Select aria-label="列" value={pair.col ?? null} options={options} onChange={(next) => setPair({ ...pair, col: next ?? undefined })} style={{ minWidth: 220 }} /></Space>
      {!ready && <p className="note">请选择两道不同的题</p>}
      {error && <Alert type="error" showIcon title={error.message} />}
      {data && ready && (
        <div className="qn-block" data-few={data.base < FEW}>
          <p>{data.base} 人同时回答了两题　χ² = {data.chi2.toFixed(2)}（自由度 {data.df}）　V = {data.v.toFixed(2)}，{strength(data.v)}{data.base < FEW && <span className="note">　不足 {FEW} 人，仅供参考</span>}</p>
          <div className="qn-wide"><table className="qn-cross qn-chart"><thead><tr><td aria-label="选项" />{data.cols.map(({ id, label }) => <th key={id} scope="col">{label}</th>)}<th scope="col">合计</th></tr></thead><tbody>{data.rows.map((one) => {
            const sum = data.cols.reduce((all, { id }) => all + (data.counts[`${one.id}:${id}`] ?? 0), 0)
            return <tr key={one.id}><th scope="row">{one.label}</th>{data.cols.map(({ id }) => { const n = data.counts[`${one.id}:${id}`] ?? 0; return <td key={id} style={{ background: `color-mix(in srgb, var(--accent) ${sum === 0 ? 0 : Math.round((n / sum) * 40)}%, transparent)` }}>{n} · {share(n, sum)}</td> })}<td>{sum}</td></tr>
          })}</tbody></table></div>
        </div>
      )}
    </>
  )
}

/** Each answer, with those that do not count and why. */
function Answers({ row }: { row: Row }) {
  const client = useQueryClient()
  const [page, setPage] = useState(1)
  const [only, setOnly] = useState<'all' | 'good' | 'careless'>('all')
  const { busy, attempt } = useAttempt()
  const { data, error } = useQuery({ queryKey: ['questionnaire-answers', row.id, page, only], queryFn: ({ signal }) => call(questionnaireAnswers, { page, ...(only !== 'all' && { only }) }, { params: { id: row.id }, signal, quiet: true }) })
  const exclude = (one: AnswerRow) => attempt(async () => {
    await call(excludeAnswer, { excluded: one.careless === null }, { params: { id: row.id, answer_id: one.id }, quiet: true })
    await Promise.all(['questionnaire-answers', 'questionnaire-figures', 'questionnaire-cross'].map((key) => client.invalidateQueries({ queryKey: [key, row.id] })))
  })
  if (error) return <Alert type="error" showIcon title={error.message} />
  return (
    <>
      <Space wrap className="form-alert"><Segmented<'all' | 'good' | 'careless'> value={only} onChange={(next) => { setOnly(next); setPage(1) }} options={[{ value: 'all', label: '全部' }, { value: 'good', label: '计入统计' }, { value: 'careless', label: '未计入' }]} /><Button href={fillPath(exportAnswers.path, { id: row.id })} download>导出答卷</Button></Space>
      {!data ? <Skeleton active /> : (
        <>
          <Table<AnswerRow> size="small" rowKey="id" pagination={false} scroll={{ x: 720 }} dataSource={data.items} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有答卷" /> }}
            expandable={{ expandedRowRender: (one) => <dl className="facts">{one.values.flatMap(({ id, number, title, words }) => [<dt key={`${id}t`}>{number}. {title}</dt>, <dd key={`${id}d`}>{words}</dd>])}</dl> }}
            columns={[
              { title: '提交时间', width: 120, render: (_value, one) => briefTime(one.at) },
              { title: '填写人', width: 140, render: (_value, one) => one.who ?? <span className="note">{one.from === 'page' ? '链接' : '匿名'}</span> },
              { title: '用时', width: 90, align: 'right', render: (_value, one) => `${one.seconds} 秒` },
              { title: '前几题', ellipsis: true, render: (_value, one) => one.values.slice(0, 3).map(({ words }) => words).join(' / ') },
              { title: '统计', width: 150, render: (_value, one) => (one.careless === null ? '计入' : <span className="bad">{one.careless}</span>) },
              { title: '操作', width: 80, render: (_value, one) => <Button type="link" size="small" disabled={busy} onClick={() => void exclude(one)}>{one.careless === null ? '排除' : '恢复'}</Button> },
            ]} />
          {data.total > 50 && <Pagination className="form-alert" size="small" current={page} pageSize={50} total={data.total} showSizeChanger={false} onChange={setPage} />}
        </>
      )}
    </>
  )
}

/** What came back: figures, questions against each other, answers one by one. */
export function FiguresScreen({ row }: { row: Row }) {
  const [show, setShow] = useState<'figures' | 'cross' | 'answers'>('figures')
  const [careless, setCareless] = useState(false)
  const { data, error } = useQuery({ queryKey: ['questionnaire-figures', row.id, careless], queryFn: ({ signal }) => call(questionnaireFigures, careless ? { careless: '1' as const } : {}, { params: { id: row.id }, signal, quiet: true }) })
  return (
    <section className="page-body" aria-label="问卷统计">
      <div className="qn-bar">
        <Link to={QUESTIONNAIRE_PATH}>问卷</Link><h2>{row.title} <StateWord choices={QUESTIONNAIRE_STATES} value={row.state} /></h2>
        <Segmented value={show} onChange={setShow} options={[{ value: 'figures', label: '统计' }, { value: 'cross', label: '交叉分析' }, { value: 'answers', label: '答卷' }]} />
        {show !== 'answers' && <Checkbox checked={careless} onChange={(event) => setCareless(event.target.checked)}>包含敷衍的答卷{data ? ` ${data.careless}` : ''}</Checkbox>}
      </div>
      {error && <Alert type="error" showIcon title={error.message} />}
      {show === 'cross' && <Cross row={row} careless={careless} />}
      {show === 'answers' && <Answers row={row} />}
      {show === 'figures' && !error && (!data ? <Skeleton active /> : (
        <>
          <dl className="qn-facts"><div><dt>打开</dt><dd>{data.opened}</dd></div><div><dt>计入统计的答卷</dt><dd>{data.answers}</dd></div><div><dt>敷衍</dt><dd>{data.careless}</dd></div><div><dt>用时中位数</dt><dd>{data.seconds === null ? '—' : `${Math.round(data.seconds)} 秒`}</dd></div></dl>
          {data.days.length > 1 && <Suspense fallback={<Skeleton active />}><Chart height={120} label={`每天的答卷：${data.days.map(({ day, answers }) => `${day} ${answers} 份`).join('，')}`} option={{ grid: { left: 32, right: 8, top: 8, bottom: 24 }, tooltip: { trigger: 'axis' }, xAxis: { type: 'category', data: data.days.map(({ day }) => day.slice(5)) }, yAxis: { type: 'value', minInterval: 1 }, series: [{ type: 'bar', name: '答卷', data: data.days.map(({ answers }) => answers), itemStyle: { color: '#0170d9' } }] }} /></Suspense>}
          {data.answers === 0 ? <Empty description="还没有答卷" /> : data.questions.map((one, at) => <Question key={one.id} figures={one} number={at + 1} />)}
        </>
      ))}
    </section>
  )
}
