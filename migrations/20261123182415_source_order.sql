CREATE INDEX "activation_code_group_order_id_i" ON "activation_code_group" USING btree ("order_id","id");
