{% snapshot customers_snapshot %}
{{ config(unique_key='id', strategy='check', check_cols=['credit'], target_schema='dbt') }}
select id, name, credit from {{ ref('customers') }}
{% endsnapshot %}
