import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton, Table, Tag } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { markingResults, type Marking } from './calls.ts'
import type { CandidateResult, QuestionResult } from './result.ts'

const WHO = { listed: '', learner: '平台学员', unknown: '名单外' } as const
const percent = (value: number | null) => (value === null ? '' : `${(value * 100).toFixed(1)}%`)

function states(one: CandidateResult) {
  return (
    <>
      {one.absent && <Tag>缺考</Tag>}
      {one.lacking > 0 && <Tag color="error">缺 {one.lacking} 页</Tag>}
      {!one.absent && one.open > 0 && <Tag color="warning">{one.open} 处未定</Tag>}
      {WHO[one.who] && <Tag>{WHO[one.who]}</Tag>}
    </>
  )
}

/** Points of candidates, and what questions were like. */
export function ResultsTab({ marking }: { marking: Marking }) {
  const { data, error } = useQuery({ queryKey: ['marking-results', marking.id, marking.pages, marking.doubtful, marking.unscored, marking.roster.length], staleTime: 0, queryFn: ({ signal }) => call(markingResults, undefined, { params: { id: marking.id }, signal }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.candidates.length === 0) return <Empty image={null} description="识别出考生后，成绩显示在这里" />
  const unknown = data.candidates.filter(({ who }) => who === 'unknown')
  return (
    <div className="marking-results">
      {marking.roster.length > 0 && unknown.length > 0 && <Alert type="warning" showIcon title={`${unknown.length} 个考号不在名单里：${unknown.slice(0, 10).map(({ number }) => number).join('、')}${unknown.length > 10 ? ' 等' : ''}，成绩照常计算`} />}
      {data.missing.length > 0 && <Alert type="info" showIcon title={`名单中 ${data.missing.length} 人没有答题卡：${data.missing.slice(0, 10).map(({ number, name }) => name || number).join('、')}${data.missing.length > 10 ? ' 等' : ''}`} />}
      <Table<CandidateResult> size="small" rowKey="number" dataSource={[...data.candidates].sort((a, b) => b.total - a.total)} pagination={{ pageSize: 50, hideOnSinglePage: true }} scroll={{ x: 'max-content' }} columns={[
        { title: '考号', dataIndex: 'number' }, { title: '姓名', dataIndex: 'name' }, { title: '班级', dataIndex: 'class' },
        { title: `总分（满分 ${data.total}）`, key: 'total', align: 'right', render: (_value, one) => (one.absent ? '' : one.total) }, { title: '客观题', key: 'choice', align: 'right', render: (_value, one) => (one.absent ? '' : one.choice) },
        { title: '主观题', key: 'written', align: 'right', render: (_value, one) => (one.absent ? '' : one.written) }, { title: '状态', key: 'state', render: (_value, one) => states(one) },
      ]} />
      <Table<QuestionResult> size="small" rowKey="label" dataSource={data.questions} pagination={false} scroll={{ x: 'max-content' }} columns={[
        { title: '题号', dataIndex: 'label' }, { title: '满分', dataIndex: 'max', align: 'right' }, { title: '已判', dataIndex: 'answered', align: 'right' }, { title: '得分率', key: 'rate', align: 'right', render: (_value, one) => percent(one.rate) },
        { title: '区分度', key: 'discrimination', align: 'right', render: (_value, one) => one.discrimination?.toFixed(2) ?? '' },
        { title: '选项分布', key: 'chosen', render: (_value, one) => one.chosen.map(({ letters, count, right }) => <Tag key={letters} {...(right && { color: 'success' })}>{letters || '未填'} {count}</Tag>) },
      ]} />
    </div>
  )
}
