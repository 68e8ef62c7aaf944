ALTER TABLE "order_setting" ADD COLUMN "prices" jsonb DEFAULT '{}'::jsonb NOT NULL;
ALTER TABLE "refund" ADD COLUMN "parts" jsonb;
-- Until now a refund went by the channel of its order's last payment, or by the way that it named.
update "refund" r set "parts" = case when r."amount" = 0 or o."pay_channel" is null then '[]'::jsonb
  else jsonb_build_array(jsonb_build_object('from', o."pay_channel", 'to', case r."way" when 'original' then o."pay_channel" else r."way" end, 'amount', r."amount")) end
  from "orders" o where o."id" = r."order_id";
update "refund" set "parts" = '[]'::jsonb where "parts" is null;
ALTER TABLE "refund" ALTER COLUMN "parts" SET NOT NULL;
CREATE INDEX "refund_alone_i" ON "refund" USING btree ("asked_by","asked_at") WHERE status = 2 and asked_by = decided_by;
-- What was given back more often than it was bought counts as given back once.
update "order_item" set "refunded_qty" = least(greatest("refunded_qty", 0), "qty"), "granted_qty" = least(greatest("granted_qty", 0), "qty") where "refunded_qty" not between 0 and "qty" or "granted_qty" not between 0 and "qty";
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_refunded" CHECK (refunded_qty between 0 and qty);
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_granted" CHECK (granted_qty between 0 and qty);
-- Old entries stay as they were written, whatever they hold: these look at new ones alone.
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_amount" CHECK (amount between -10000000000 and 10000000000) NOT VALID;
ALTER TABLE "payment" ADD CONSTRAINT "payment_amount" CHECK (amount between 1 and 10000000000) NOT VALID;
ALTER TABLE "refund" ADD CONSTRAINT "refund_amount" CHECK (amount between 0 and 10000000000) NOT VALID;
