import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Segmented, Skeleton, Space, Tag } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { briefTime } from '../../../core/field/time.ts'
import { useLive } from '../../../core/live/use-live.tsx'
import { useCan, useStaff } from '../../../core/session/staff-context.tsx'
import { ERROR_TOAST_MS } from '../../../core/ui/toast.ts'
import { usePageKeys } from '../../../core/ui/use-page-keys.tsx'
import { useUndoKeys } from '../../../core/ui/use-undo-keys.tsx'
import { AssetPlayer } from '../../asset/door.tsx'
import { QuestionView } from '../../practice/door.tsx'
import { reviewMoved } from '../live.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import { clockText, detailPath, TARGETS } from '../said/said.ts'
import { AnswerBox, AuthorPanel, Marked, MuteDialog, Nothing, SaidLine } from '../said/said-parts.tsx'
import { claimReview, decideReviews, releaseReview, reviewCase, reviewQueue, undoReviews, type Queued, type ReviewCase } from './calls.ts'
import { CAUSES, REVIEW, REVIEWS } from './review.ts'

const WORDS = { pass: '已通过', hide: '已屏蔽', remove: '已删除' } as const
type Verdict = keyof typeof WORDS
/** Milliseconds for which a decision can be taken back. */
const UNDO_MS = 5000

interface Done { ids: readonly number[]; words: string }

/** What was decided last, for five seconds with its way back. */
function UndoLine({ done, onUndo, onOver }: { done: Done; onUndo: () => void; onOver: () => void }) {
  const over = useEffectEvent(onOver)
  useEffect(() => {
    const timer = setTimeout(() => over(), UNDO_MS)
    return () => clearTimeout(timer)
  }, [done])
  useUndoKeys({ undo: onUndo, redo: undefined })
  return <div className="review-undo" role="status"><span>{done.words}</span><button type="button" onClick={onUndo} aria-keyshortcuts="Control+Z">撤销</button><kbd aria-hidden>Ctrl Z</kbd><i aria-hidden /></div>
}

/** The rows that wait, the most urgent first. */
function List({ items, at, me, onPick }: { items: readonly Queued[]; at: number | undefined; me: number; onPick: (id: number) => void }) {
  const here = useRef<HTMLLIElement>(null)
  useEffect(() => { void here.current?.scrollIntoView({ block: 'nearest' }) }, [at])
  return (
    <ul className="review-list">
      {items.map((one) => (
        <li key={one.id} ref={one.id === at ? here : null} data-chosen={one.id === at} data-taken={one.claimed_by !== null && one.claimed_by !== me}>
          <button type="button" aria-current={one.id === at} onClick={() => onPick(one.id)}>
            <span><Marked text={one.content} hits={one.hits} /></span>
            <small><StateWord choices={CAUSES} value={one.cause} />{one.name} · {briefTime(one.at)}{one.claimed_by !== null && <b>{one.claimed_by === me ? '我在处理' : `${one.claimed_name} 处理中`}</b>}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** What it is about: the video at its second, or the question. */
function About({ data }: { data: ReviewCase }) {
  const [plays, setPlays] = useState(false)
  const { video, practice, comment } = data
  return (
    <>
      {video && (
        <div className="review-about">
          <p><Link to={detailPath(video.id, data.row.comment_id)}>{video.name}</Link>{comment?.at_sec !== null && comment?.at_sec !== undefined && <span className="figure"> {clockText(comment.at_sec)}</span>} <Button size="small" onClick={() => setPlays(!plays)}>{plays ? '收起视频' : '看这一秒'}</Button></p>
          {plays && <AssetPlayer url={video.url} kind="video" poster={video.cover ?? undefined} subtitles={video.subtitles} at={{ sec: comment?.at_sec ?? 0 }} />}
        </div>
      )}
      {practice && <div className="review-about"><p>{practice.path ? <Link to={practice.path}>{practice.no}</Link> : practice.no}</p>{practice.content && <QuestionView content={practice.content} answer="folded" />}</div>}
    </>
  )
}

/** One row with everything that helps to decide. */
function Case({ data, children }: { data: ReviewCase; children: React.ReactNode }) {
  const { row, thread } = data
  return (
    <main aria-label="待审评论">
      <header className="review-head">
        <StateWord choices={CAUSES} value={row.cause} /><span className="note">{choiceLabel(TARGETS, row.target)} · {row.name} · {briefTime(row.at)}</span>
        {row.reasons.map((one, index) => <Tag key={index} color={row.cause === 3 ? 'error' : 'warning'}>{one.why}{one.words && one.words.length > 0 && `：${one.words.join('、')}`}</Tag>)}
      </header>
      {row.state !== REVIEW.open && <Alert type="info" showIcon className="form-alert" title={`${choiceLabel(REVIEWS, row.state)}${row.decided_name ? ` · ${row.decided_name} ${briefTime(row.decided_at ?? 0)}` : ''}`} />}
      <blockquote className="review-words"><Marked text={row.content} hits={row.hits} /></blockquote>
      {children}
      <About data={data} />
      {thread.length > 0 && <><h4>前后的对话</h4>{thread.map((one) => <SaidLine key={one.id} item={one} />)}</>}
    </main>
  )
}

/** 待审: the queue at the left, one comment, whoever wrote it at the right; all of it by keys. */
export function ReviewQueue() {
  const client = useQueryClient()
  const { message } = App.useApp()
  const me = useStaff()
  const can = useCan()
  const [search] = useSearchParams()
  const [cause, setCause] = useState(0)
  // One that somebody asked for is shown although others are more urgent and it stands in no list.
  const [asked, setAsked] = useState<number | undefined>(Number(search.get('open')) || undefined)
  const [at, setAt] = useState(asked)
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set())
  const [doing, setDoing] = useState<'answer' | 'mute'>()
  const [along, setAlong] = useState<'author' | 'text'>()
  const [done, setDone] = useState<Done>()
  const { data, error, refetch } = useQuery({ queryKey: ['review-queue', cause], queryFn: ({ signal }) => call(reviewQueue, cause === 0 ? {} : { cause }, { signal, quiet: true }) })
  const items = (data?.items ?? []).filter(({ id }) => !gone.has(id))
  const current = items.find(({ id }) => id === at)?.id ?? (at !== undefined && at === asked && !gone.has(at) ? at : items[0]?.id)
  const beside = useQuery({ queryKey: ['review-case', current], enabled: current !== undefined, queryFn: ({ signal }) => call(reviewCase, undefined, { params: { id: current ?? 0 }, signal, quiet: true }) })
  const reload = () => void Promise.all([client.invalidateQueries({ queryKey: ['review-queue'] }), client.invalidateQueries({ queryKey: ['review-case'] })])
  useLive(reviewMoved, () => reload())
  const open = beside.data?.row.id === current ? beside.data : undefined
  const row = items.find(({ id }) => id === current) ?? open?.row
  const taken = row !== undefined && row.claimed_by !== null && row.claimed_by !== me.id
  const may = can(MANAGE_RIGHTS.id('review')) && row !== undefined && !taken && (open === undefined || open.row.state === REVIEW.open)
  const place = items.findIndex(({ id }) => id === current)
  const pick = (id: number | undefined) => {
    setAt(id)
    setDoing(undefined)
    setAlong(undefined)
  }
  const step = (by: number) => pick(items[Math.max(0, Math.min(items.length - 1, place + by))]?.id)
  const fail = (problem: unknown) => {
    void message.error(problem instanceof Error ? problem.message : '操作失败', ERROR_TOAST_MS / 1000)
    reload()
  }
  /** The next one comes at once; what the server refuses comes back with its reason. */
  const leave = (ids: readonly number[]) => {
    const next = items.slice(place + 1).find(({ id }) => !ids.includes(id)) ?? items.find(({ id }) => !ids.includes(id))
    setGone(new Set([...gone, ...ids]))
    pick(next?.id)
  }
  const back = (ids: readonly number[]) => setGone((all) => new Set([...all].filter((id) => !ids.includes(id))))
  const decide = async (verdict: Verdict) => {
    if (!may || !row) return
    const ids = [row.id, ...(along === 'author' ? open?.same_author ?? [] : along === 'text' ? open?.same_text ?? [] : [])]
    leave(ids)
    try {
      const answer = await call(decideReviews, { ids, verdict }, { quiet: true })
      setDone({ ids: answer.decided, words: `${WORDS[verdict]}${answer.decided.length > 1 ? ` ${answer.decided.length} 条` : ''}` })
      if (answer.left_alone[0]) {
        back(answer.left_alone.map(({ id }) => id))
        void message.warning(`${answer.left_alone.length} 条未处理：${answer.left_alone[0].why}`)
      }
      void client.invalidateQueries({ queryKey: ['review-queue'] })
    } catch (problem) {
      back(ids)
      fail(problem)
    }
  }
  /** Begins something that takes a while: nobody else decides meanwhile. */
  const begin = async (what: 'answer' | 'mute') => {
    if (!may || !row || (what === 'mute' && (row.user_id === null || !can(MANAGE_RIGHTS.id('mute'))))) return
    try {
      await call(claimReview, undefined, { params: { id: row.id }, quiet: true })
      setDoing(what)
    } catch (problem) {
      fail(problem)
    }
  }
  const cancel = () => {
    setDoing(undefined)
    // A claim that could not be given back ends by itself after ten minutes.
    if (row) void call(releaseReview, undefined, { params: { id: row.id }, quiet: true }).catch(() => undefined)
  }
  const undo = async () => {
    if (!done) return
    setDone(undefined)
    try {
      const { ids } = await call(undoReviews, { ids: [...done.ids] }, { quiet: true })
      void message.success('已撤销，重新待审')
      reload()
      setAsked(ids[0])
      pick(ids[0])
    } catch (problem) {
      fail(problem)
    }
  }
  usePageKeys({ p: () => void decide('pass'), h: () => void decide('hide'), d: () => void decide('remove'), m: () => void begin('mute'), a: () => void begin('answer'), n: () => step(1), j: () => step(1), k: () => step(-1) })
  const causeOf = (value: number) => data?.causes.find((one) => one.cause === value)?.n ?? 0
  const all = (data?.causes ?? []).reduce((sum, { n }) => sum + n, 0)
  return (
    <section className="page-body review" aria-label="评论审核">
      <div className="review-bar">
        <Segmented<number> value={cause} onChange={(next) => { setCause(next); pick(undefined) }} options={[{ value: 0, label: `全部 ${all}` }, ...CAUSES.map(({ value, label }) => ({ value: value as number, label: `${label} ${causeOf(value)}` }))]} />
        {data && <span className="note">我今天处理 {data.decided_today} 条{data.checked.n > 0 && ` · 近 30 天抽查 ${data.checked.n} 条，一致 ${Math.round((data.checked.agreed / data.checked.n) * 100)}%`}</span>}
      </div>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !data ? <Skeleton active paragraph={{ rows: 8 }} /> : current === undefined ? <Nothing words="没有待审的评论" /> : (
        <div className="review-sides">
          <nav aria-label="待审队列"><List items={items} at={current} me={me.id} onPick={pick} />{data.total > data.items.length && <p className="note">先处理最紧急的 {data.items.length} 条，共 {data.total} 条</p>}</nav>
          {beside.error ? <Alert type="error" showIcon title={beside.error.message} /> : open ? (
            <Case data={open}>
              {taken && <Alert className="form-alert" type="warning" showIcon title={`${row?.claimed_name ?? '同事'}正在处理这一条`} />}
              {may && (open.same_author.length > 0 || open.same_text.length > 0) && (
                <Space wrap>
                  {open.same_author.length > 0 && <Checkbox checked={along === 'author'} onChange={(event) => setAlong(event.target.checked ? 'author' : undefined)}>连同该用户的另外 {open.same_author.length} 条</Checkbox>}
                  {open.same_text.length > 0 && <Checkbox checked={along === 'text'} onChange={(event) => setAlong(event.target.checked ? 'text' : undefined)}>连同内容相同的另外 {open.same_text.length} 条</Checkbox>}
                </Space>
              )}
              {may && (
                <div className="review-keys" role="group" aria-label="处理">
                  <Button type="primary" onClick={() => void decide('pass')}>通过 <kbd>P</kbd></Button><Button onClick={() => void decide('hide')}>屏蔽 <kbd>H</kbd></Button><Button danger onClick={() => void decide('remove')}>删除 <kbd>D</kbd></Button>
                  {open.row.user_id !== null && can(MANAGE_RIGHTS.id('mute')) && <Button danger onClick={() => void begin('mute')}>禁言 <kbd>M</kbd></Button>}
                  {open.row.user_id !== null && <Button onClick={() => void begin('answer')}>回复 <kbd>A</kbd></Button>}<Button type="text" onClick={() => step(1)}>下一条 <kbd>N</kbd></Button>
                </div>
              )}
              {doing === 'answer' && row && <AnswerBox id={row.comment_id} waits={open.comment?.state === 0} onCancel={cancel} onDone={() => { leave([row.id]); setDone(undefined); void message.success('已回复'); reload() }} />}
            </Case>
          ) : <Skeleton active />}
          <aside>{open?.author ? <AuthorPanel story={open.author} /> : <p className="note">官方发言</p>}</aside>
        </div>
      )}
      {done && <UndoLine key={done.ids.join()} done={done} onUndo={() => void undo()} onOver={() => setDone(undefined)} />}
      {doing === 'mute' && row?.user_id && <MuteDialog userId={row.user_id} name={row.name} reviewId={row.id} onClose={cancel} onDone={(hidden) => { setDoing(undefined); leave([row.id]); setDone({ ids: hidden, words: `已禁言并屏蔽 ${hidden.length} 条` }); reload() }} />}
    </section>
  )
}
