"""A Django project's life: makemigrations, migrate, work with its models, inspectdb, migrate back."""

from __future__ import annotations

import datetime
import io
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import django
import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction

django.setup()

from django.contrib.auth.models import Permission, User  # noqa: E402
from shop.models import Article, Category  # noqa: E402

MIGRATIONS = Path(__file__).parent / "shop" / "migrations"
CONTRIB = ("admin", "auth", "contenttypes", "flatpages", "redirects", "sessions", "sites")


def _output(*words: str) -> str:
    printed = io.StringIO()
    call_command(*words, stdout=printed)
    return printed.getvalue()


@pytest.fixture(scope="module", autouse=True)
def _migration() -> Iterator[None]:
    """That of the shop is written anew each time."""
    written = MIGRATIONS / "0001_initial.py"
    written.unlink(missing_ok=True)
    call_command("makemigrations", "shop", verbosity=0)
    yield
    written.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def _migrated(_migration: None) -> None:
    call_command("migrate", verbosity=0)


@pytest.fixture
def article(_migrated: None) -> Iterator[Article]:
    with transaction.atomic():
        category = Category.objects.create(name="Books")
        yield Article.objects.create(
            code="a1",
            category=category,
            title="Ünïcode",
            text="x" * 50_000,
            price=Decimal("12.34"),
            weight=0.1,
            sold=True,
            offered=datetime.date(2024, 2, 29),
            delivery=datetime.timedelta(days=3, seconds=4, microseconds=5),
            picture=b"\x00\xff" * 5_000,
            token=uuid.UUID(int=7),
        )
        transaction.set_rollback(True)


@pytest.mark.parametrize("application", CONTRIB)
def test_an_application_is_migrated(application: str) -> None:
    call_command("migrate", application, verbosity=0)
    assert "[ ]" not in _output("showmigrations", application)


@pytest.mark.usefixtures("_migrated")
def test_the_project_is_migrated() -> None:
    assert "[ ]" not in _output("showmigrations")
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.usefixtures("_migrated")
def test_what_the_migrations_fill_is_there() -> None:
    assert Permission.objects.filter(codename="add_article").count() == 1
    with transaction.atomic():
        user = User.objects.create_user("scott", password="tiger")
        user.user_permissions.add(Permission.objects.get(codename="add_article"))
        assert User.objects.get(username="scott").has_perm("shop.add_article")
        transaction.set_rollback(True)


def test_a_row_comes_back_as_it_was(article: Article) -> None:
    found = Article.objects.get(pk=article.pk)
    for name in ("title", "text", "price", "weight", "sold", "offered", "delivery", "token"):
        assert getattr(found, name) == getattr(article, name), name
    assert bytes(found.picture) == article.picture
    assert found.changed == article.changed


def test_queries(article: Article) -> None:
    for number in range(5):
        Article.objects.create(
            code=f"b{number}", category=article.category, title=f"T{number}", price=number, pieces=number
        )
    counted = Category.objects.annotate(
        number=models.Count("articles"),
        total=models.Sum("articles__price"),
        most=models.Max("articles__pieces"),
    ).get()
    assert (counted.number, counted.total, counted.most) == (6, Decimal("22.34"), 4)
    assert [found.code for found in Article.objects.order_by("-price")[1:4]] == ["b4", "b3", "b2"]
    assert Article.objects.filter(title__icontains="NÏC").count() == 1
    assert Article.objects.filter(text__startswith="xxx").count() == 1
    assert Article.objects.filter(changed__year=article.changed.year).count() == 6
    assert Article.objects.filter(code__in=["b1", "b2"]).update(pieces=models.F("pieces") + 10) == 2
    assert Article.objects.filter(code__regex="^b[12]$", pieces__gte=11).count() == 2
    assert Article.objects.filter(pieces__gt=0).delete()[0] == 4


def test_many_rows_at_once(article: Article) -> None:
    """Django asks Oracle for no keys of rows that are made at once."""
    Article.objects.bulk_create(
        Article(code=f"c{number}", category=article.category, title="T", price=number)
        for number in range(300)
    )
    made = Article.objects.filter(title="T").order_by("pk")
    assert len({one.pk for one in made}) == 300
    article.related.add(*made[:3])
    assert article.related.count() == 3


def test_constraints_hold(article: Article) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Article.objects.create(code="a1", category=article.category, title="T", price=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Article.objects.create(code="z", category=article.category, title="T", price=-1)


@pytest.mark.usefixtures("_migrated")
def test_inspectdb_tells_the_models() -> None:
    models_module = _output("inspectdb", "shop_category", "shop_article")
    assert "Unable to inspect" not in models_module
    for line in (
        "class ShopArticle(models.Model):",
        "id = models.BigAutoField(primary_key=True)",
        "category = models.ForeignKey(ShopCategory, models.DO_NOTHING)",
        "price = models.DecimalField(max_digits=9, decimal_places=2)",
        "title = models.CharField(max_length=200, blank=True, null=True)",
        "sold = models.BooleanField()",
        "unique_together = (('category', 'code'),)",
    ):
        assert line in models_module, models_module


@pytest.mark.usefixtures("_migrated")
def test_inspectdb_of_everything() -> None:
    told = _output("inspectdb")
    assert "Unable to inspect" not in told
    assert "class AuthUser(models.Model):" in told


@pytest.mark.usefixtures("_migrated")
def test_constraints_are_introspected() -> None:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "shop_article")
    assert found["article_code"]["unique"]
    assert found["article_price"]["check"]
    assert found["article_title"]["orders"] == ["ASC", "DESC"]
    assert found["article_lower_code"]["index"]


@pytest.mark.usefixtures("_migrated")
def test_columns_are_altered() -> None:
    """What later migrations do.

    Of a column with a check of Django's own it drops all checks, NOT NULL too, and then stumbles over it.
    """
    old = Article._meta.get_field("price")
    new = models.DecimalField(max_digits=12, decimal_places=2, null=True)
    new.set_attributes_from_name("price")
    new.model = Article
    with connection.schema_editor() as editor:
        editor.alter_field(Article, old, new)
        editor.alter_field(Article, new, old)
        added = models.CharField(max_length=10, default="new")
        added.set_attributes_from_name("state")
        added.model = Article
        editor.add_field(Article, added)
        editor.remove_field(Article, added)


@pytest.mark.usefixtures("_migrated")
def test_the_shop_is_migrated_back() -> None:
    call_command("migrate", "shop", "zero", verbosity=0)
    assert not [name for name in connection.introspection.table_names() if name.startswith("shop_")]
