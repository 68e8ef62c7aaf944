import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Select, Skeleton, Space } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call, request } from '../../../core/endpoint/call.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { usePreference } from '../../../core/preference/use-preference.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { AssetPlayer } from '../../asset/door.tsx'
import { MANAGE_RIGHTS, VIDEO_RIGHTS } from '../rights.ts'
import { talkedVideos, videoTalk, type SaidItem, type VideoTalk } from './calls.ts'
import { clockText, detailPath, SAID_STATES, videoComment } from './said.ts'
import { AnswerBox, AuthorOf, MuteDialog, Nothing, SaidLine } from './said-parts.tsx'

const Chart = lazy(() => import('../../../core/chart/chart.tsx'))

/** How much is said where in a video; what waits stands on top. */
function densityOf({ density, step, video }: VideoTalk): EChartsCoreOption {
  const last = Math.max(video.seconds ?? 0, ...density.map(({ sec }) => sec))
  const bars = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => density.find(({ sec }) => sec === index * step) ?? { sec: index * step, n: 0, waiting: 0 })
  return {
    tooltip: { trigger: 'axis' }, grid: { left: 4, right: 4, top: 12, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: bars.map(({ sec }) => clockText(sec)) }, yAxis: { type: 'value', minInterval: 1 },
    series: [
      { name: '已处理', type: 'bar', stack: 'n', barCategoryGap: '15%', data: bars.map(({ n, waiting }) => n - waiting), itemStyle: { color: '#1890ff' } },
      { name: '待审', type: 'bar', stack: 'n', data: bars.map(({ waiting }) => waiting), itemStyle: { color: '#d99a26' } },
    ],
  }
}

/** Chooses a video of which something is said. */
function Chooser({ value }: { value: number | undefined }) {
  const navigate = useNavigate()
  const [find, setFind] = useState('')
  const { data, isFetching } = useQuery({ queryKey: ['talked-videos', find], queryFn: ({ signal }) => call(talkedVideos, find ? { keyword: find } : {}, { signal, quiet: true }) })
  return (
    <Select className="wide" aria-label="视频" placeholder="选择一个有评论的视频" loading={isFetching} value={value} showSearch={{ filterOption: false, onSearch: setFind }} onChange={(id) => void navigate(detailPath(id), { replace: true })}
      options={(data?.items ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.n} 条${one.waiting > 0 ? `，待审 ${one.waiting}` : ''}）` }))} notFoundContent="还没有视频评论" />
  )
}

/** A thread: what somebody said, what was answered, and what can be done about it. */
function Thread({ items, chosen, onSecond, onAuthor, onDone }: { items: readonly SaidItem[]; chosen: boolean; onSecond: (sec: number) => void; onAuthor: (item: SaidItem) => void; onDone: () => void }) {
  const can = useCan()
  const { message } = App.useApp()
  const [answering, setAnswering] = useState<number>()
  const { busy, attempt } = useAttempt()
  const here = useRef<HTMLElement>(null)
  useEffect(() => { if (chosen) here.current?.scrollIntoView({ block: 'center' }) }, [chosen])
  const turn = (item: SaidItem, edge: 'pass' | 'hide') => attempt(async () => {
    await request('POST', `${videoComment.api.item}/${item.id}/${edge}`, {}, { quiet: true })
    void message.success(edge === 'pass' ? '已通过' : '已屏蔽')
    onDone()
  })
  return (
    <article className="talk-thread" ref={here} data-chosen={chosen}>
      {items.map((item) => (
        <SaidLine key={item.id} item={item} onSecond={item.root_id === 0 ? onSecond : undefined}>
          <div className="talk-acts">
            {can(VIDEO_RIGHTS.id('review')) && item.state !== 1 && <Button size="small" type="text" loading={busy} onClick={() => void turn(item, 'pass')}>通过</Button>}
            {can(VIDEO_RIGHTS.id('review')) && item.state !== 2 && <Button size="small" type="text" loading={busy} onClick={() => void turn(item, 'hide')}>屏蔽</Button>}
            {can(VIDEO_RIGHTS.id('answer')) && item.state !== 2 && item.official === 0 && <Button size="small" type="text" onClick={() => setAnswering(item.id)}>回复</Button>}
            {item.user_id !== null && <Button size="small" type="text" onClick={() => onAuthor(item)}>发言记录</Button>}
          </div>
          {answering === item.id && <AnswerBox id={item.id} waits={item.state === 0} onCancel={() => setAnswering(undefined)} onDone={() => { setAnswering(undefined); onDone() }} />}
        </SaidLine>
      ))}
    </article>
  )
}

/** 评论详情: a video with how much is said where, and its threads; a bar or a comment leads to its second. */
export default function DetailScreen() {
  const client = useQueryClient()
  const can = useCan()
  const [search] = useSearchParams()
  const [last, setLast] = usePreference<number>('comment:video', 0)
  const asked = Number(search.get('id')) || undefined
  const id = asked ?? (last || undefined)
  const comment = Number(search.get('comment')) || undefined
  const [state, setState] = useState<number>()
  const [order, setOrder] = useState<'sec' | 'new' | 'likes'>('sec')
  const [range, setRange] = useState<{ from: number; to: number }>()
  const [at, setAt] = useState<{ sec: number }>()
  /** The comment to whose second the video has gone. */
  const [begun, setBegun] = useState<number>()
  const [author, setAuthor] = useState<SaidItem>()
  const [muting, setMuting] = useState(false)
  useEffect(() => { if (asked && asked !== last) setLast(asked) }, [asked, last, setLast])
  const { data, error, refetch } = useQuery({
    queryKey: ['video-talk', id, state, order, range], enabled: id !== undefined,
    queryFn: ({ signal }) => call(videoTalk, { ...(state !== undefined && { state }), order, ...range }, { params: { id: id ?? 0 }, signal, quiet: true }),
  })
  const option = useMemo(() => (data ? densityOf(data) : undefined), [data])
  useTabTitle(data && id ? `评论 ${data.video.name}` : undefined)
  const threads = [...Map.groupBy(data?.items ?? [], (item) => (item.root_id === 0 ? item.id : item.root_id)).entries()]
  const chosen = threads.find(([, items]) => items.some((item) => item.id === comment))?.[1].find((item) => item.id === comment)
  if (chosen && chosen.id !== begun) {
    setBegun(chosen.id)
    setAt({ sec: chosen.at_sec ?? 0 })
  }
  const reload = () => void client.invalidateQueries({ queryKey: ['video-talk'] })
  const most = data?.density.toSorted((a, b) => b.n - a.n).slice(0, 5) ?? []
  return (
    <section className="page-body" aria-label="评论详情">
      <div className="talk-head"><h2>{data?.video.name ?? '评论详情'}</h2></div>
      <Chooser value={id} />
      {id === undefined ? <Nothing words="选择一个视频，查看它的评论" /> : error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !data ? <Skeleton active paragraph={{ rows: 10 }} /> : (
        <div className="talk-sides">
          <main aria-label="视频" className="talk-video">
            <AssetPlayer url={data.video.url} kind="video" poster={data.video.cover ?? undefined} chapters={data.video.chapters} subtitles={data.video.subtitles} at={at} />
            <h3>评论分布（每 {data.step} 秒）</h3>
            {data.density.length === 0 ? <Nothing words="还没有评论" /> : <Suspense fallback={<Skeleton active />}><Chart option={option ?? {}} height={160} label={`共 ${data.counts.all} 条评论，最多的在 ${most.map(({ sec, n }) => `${clockText(sec)} ${n} 条`).join('，')}`} /></Suspense>}
            <Space wrap aria-label="评论最多的时间">{most.map(({ sec, n }) => <Button key={sec} size="small" type={range?.from === sec ? 'primary' : 'default'} onClick={() => { setRange(range?.from === sec ? undefined : { from: sec, to: sec + data.step }); setAt({ sec }) }}>{clockText(sec)} · {n} 条</Button>)}{range && <Button size="small" type="link" onClick={() => setRange(undefined)}>看全部</Button>}</Space>
            {author && <><div className="talk-head"><h3>发言记录</h3>{can(MANAGE_RIGHTS.id('mute')) && <Button size="small" danger onClick={() => setMuting(true)}>禁言</Button>}</div><AuthorOf id={author.user_id ?? 0} /></>}
          </main>
          <aside aria-label="评论">
            <Space wrap>
              <Select className="said-select" aria-label="状态" allowClear placeholder={`全部 ${data.counts.all}`} value={state} onChange={setState} options={SAID_STATES.map(({ value, label }) => ({ value: value as number, label: `${label} ${[data.counts.waiting, data.counts.shown, data.counts.hidden][value]}` }))} />
              <Select aria-label="排序" value={order} onChange={setOrder} options={[{ value: 'sec', label: '按视频时间' }, { value: 'new', label: '最新发表' }, { value: 'likes', label: '点赞最多' }]} />
              {data.counts.asks > 0 && <span className="note">{data.counts.asks} 个提问待回答</span>}
            </Space>
            {threads.length === 0 && <Nothing words="没有符合条件的评论" />}
            {threads.map(([root, items]) => <Thread key={root} items={items} chosen={items.some((item) => item.id === comment)} onSecond={(sec) => setAt({ sec })} onAuthor={setAuthor} onDone={reload} />)}
          </aside>
        </div>
      )}
      {muting && author?.user_id && <MuteDialog userId={author.user_id} name={author.name} onClose={() => setMuting(false)} onDone={() => { setMuting(false); reload(); void client.invalidateQueries({ queryKey: ['comment-author'] }) }} />}
    </section>
  )
}
