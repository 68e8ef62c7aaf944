import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { NONE } from '../../core/field/view.tsx'
import { screens } from '../screens.ts'
import { findOrder } from './find-order.ts'

/** An order by its number, which leads to it for a person who may open it. */
export function OrderLink({ no }: { no: unknown }) {
  const known = typeof no === 'string' && no !== ''
  const { data } = useQuery({
    queryKey: ['order-screen', no], queryFn: ({ signal }) => call(findOrder, { order_no: String(no) }, { signal, quiet: true }), enabled: known, staleTime: Infinity,
  })
  if (!known) return NONE
  const path = data?.order && screens.find(({ id }) => id === data.order?.screen)?.path
  return path ? <Link className="figure" to={`${path}?open=${data.order?.id}`}>{no}</Link> : <span className="figure">{no}</span>
}
