import { useQuery } from '@tanstack/react-query'
import { Alert, Skeleton, Tag } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { getPractice } from '../bank/calls.ts'
import { QuestionView } from '../content/render.tsx'

/** A question that waits, beside the queue: what is asked, with its answer and its labels. */
export default function QuestionCase({ id }: { id: number }) {
  const { data, error } = useQuery({ queryKey: ['practice', id], queryFn: ({ signal }) => call(getPractice, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />
  return (
    <>
      <QuestionView content={data.content} answer="shown" />
      <p>{data.labels.map((label) => <Tag key={label.id}>{label.name}</Tag>)}</p>
    </>
  )
}
